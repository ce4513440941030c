import type { Transaction } from "@florin/sdk";
import { Alert, Text } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { explain } from "./explain.ts";

/** The answer to "why was this declined?", before all details. */
export function Verdict({ transaction }: { transaction: Transaction }) {
  if (transaction.approved) return null;
  const { why, what } = explain(transaction);
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertCircle size={20} />}
      title={`Declined: ${transaction.responseMessage} (${transaction.responseCode})`}
    >
      <Text size="sm">{why}</Text>
      <Text size="sm" mt={4}>
        <b>What to do:</b> {what}
      </Text>
    </Alert>
  );
}
