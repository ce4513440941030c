import { Group, Text } from "@mantine/core";

export function Logo({ withName = false }: { withName?: boolean }) {
  return (
    <Group gap={10} wrap="nowrap">
      <img src="/florin.svg" alt={withName ? "" : "Florin"} width={28} height={28} />
      {withName && (
        <Text fw={700} fz={18} lts="-0.01em">
          Florin
        </Text>
      )}
    </Group>
  );
}
