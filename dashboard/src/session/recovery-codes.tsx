import { Button, Checkbox, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Copy } from "../ui/copy.tsx";

interface RecoveryCodesProps {
  lead: string;
  codes: string[];
  onKept: () => void;
}

/** Shown once, and only left when the reader says that they are kept. */
export function RecoveryCodes({ lead, codes, onKept }: RecoveryCodesProps) {
  const [isKept, setKept] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const leave = () => {
    setLeaving(true);
    onKept();
  };
  return (
    <Stack gap="md">
      <Text size="sm">
        {lead} Should you lose your phone, each of these codes lets you in once. Keep them where you
        keep your passwords: they are not shown again.
      </Text>
      <SimpleGrid cols={2} spacing="xs" component="ul" p={0} m={0} style={{ listStyle: "none" }}>
        {codes.map((code) => (
          <Text component="li" key={code} className="mono" data-recovery-code>
            {code}
          </Text>
        ))}
      </SimpleGrid>
      <Group gap={4}>
        <Copy value={codes.join("\n")} label="recovery codes" />
        <Text size="sm">Copy all</Text>
      </Group>
      <Checkbox
        label="I have kept these codes"
        checked={isKept}
        onChange={(event) => setKept(event.currentTarget.checked)}
      />
      <Button disabled={!isKept} loading={isLeaving} onClick={leave}>
        Continue
      </Button>
    </Stack>
  );
}
