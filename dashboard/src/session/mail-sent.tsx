import { Anchor, Button, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Frame } from "./frame.tsx";
import { useMe } from "./use-me.ts";

export function MailSent({ email, what }: { email: string; what: string }) {
  const { hasMailbox } = useMe();
  return (
    <Frame title="Look into your mailbox">
      <Stack gap="md">
        <Text size="sm">
          If <b>{email}</b> can {what}, a mail with a link is on its way there. Nothing after a few
          minutes? Look into the spam folder, or try again.
        </Text>
        {hasMailbox && (
          <Button component={Link} to="/mailbox" fullWidth>
            Open the sandbox mailbox
          </Button>
        )}
        <Text size="sm" ta="center">
          <Anchor component={Link} to="/log-in">
            Back to log in
          </Anchor>
        </Text>
      </Stack>
    </Frame>
  );
}
