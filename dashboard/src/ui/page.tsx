import { Anchor, Box, Group, Stack, Text, Title } from "@mantine/core";
import { IconChevronLeft } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";

interface PageProps {
  title: string;
  /** Shown instead of the title's text, where it is more than text. */
  heading?: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  back?: { to: string; label: string };
  children: ReactNode;
}

export function Page({ title, heading, lead, actions, back, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Florin`;
  }, [title]);
  return (
    <Stack gap="lg">
      <Box>
        {back !== undefined && (
          <Anchor component={Link} to={back.to} size="sm" c="dimmed" mb={4} display="inline-block">
            <Group gap={2} component="span">
              <IconChevronLeft size={14} aria-hidden />
              {back.label}
            </Group>
          </Anchor>
        )}
        <Group justify="space-between" align="flex-end" gap="sm">
          <Box miw={0} flex="1 1 320px" style={{ overflowWrap: "anywhere" }}>
            <Title order={1}>{heading ?? title}</Title>
            {lead !== undefined && (
              <Text component="div" c="dimmed" size="sm" mt={2} maw={680}>
                {lead}
              </Text>
            )}
          </Box>
          {actions !== undefined && <Group gap="xs">{actions}</Group>}
        </Group>
      </Box>
      {children}
    </Stack>
  );
}
