import { Alert, Stack, Text } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";
import { CopyText } from "./copy.tsx";

/** A secret that the service shows a single time. */
export function SecretOnce({ label, value }: { label: string; value: string }) {
  return (
    <Alert
      color="evergreen"
      variant="light"
      role="status"
      icon={<IconKey size={18} />}
      title={`Your ${label}`}
    >
      <Stack gap={4}>
        <Text size="sm">Copy it now and keep it safe: it is not shown again.</Text>
        <CopyText value={value} label={label} />
      </Stack>
    </Alert>
  );
}
