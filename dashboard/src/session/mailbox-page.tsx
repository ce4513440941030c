import { Anchor, Box, Button, Group, Stack, Text, UnstyledButton } from "@mantine/core";
import { IconMail } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Mail, MailHead } from "../api/own-types.ts";
import { resourceQuery } from "../api/queries.ts";
import { Empty, Loaded } from "../ui/states.tsx";
import { Time } from "../ui/time.tsx";
import { Frame } from "./frame.tsx";
import classes from "./mailbox-page.module.css";

const LOOK_AGAIN_MS = 3000;

/** What would have been sent: without a session, so that a sign-up can be finished here. */
export function MailboxPage() {
  const mails = useQuery({
    ...resourceQuery<MailHead[]>("/dashboard/mailbox"),
    refetchInterval: LOOK_AGAIN_MS,
  });
  const [openId, setOpenId] = useState<string>();
  return (
    <Frame
      title="Sandbox mailbox"
      lead="Mail that Florin would have sent. In production it goes out by SMTP, and this page does not exist."
      isWide
    >
      <Loaded query={mails}>
        {(list) =>
          list.length === 0 ? (
            <Empty icon={IconMail} title="No mail yet">
              Sign up, invite somebody or forget your password, and it arrives here.
            </Empty>
          ) : (
            <ul className={classes.list}>
              {list.map((mail) => (
                <li key={mail.mailId} className={classes.item}>
                  <MailLine
                    mail={mail}
                    isOpen={mail.mailId === openId}
                    onToggle={() => setOpenId(mail.mailId === openId ? undefined : mail.mailId)}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <Anchor component={Link} to="/" size="sm">
        Back to the dashboard
      </Anchor>
    </Frame>
  );
}

interface MailLineProps {
  mail: MailHead;
  isOpen: boolean;
  onToggle: () => void;
}

function MailLine({ mail, isOpen, onToggle }: MailLineProps) {
  return (
    <>
      <UnstyledButton onClick={onToggle} aria-expanded={isOpen} w="100%" py="sm" px="md">
        <Group justify="space-between" gap="xs">
          <Box miw={0}>
            <Text fw={500} size="sm">
              {mail.subject}
            </Text>
            <Text size="sm" c="dimmed">
              to {mail.to}
            </Text>
          </Box>
          <Text size="xs" c="dimmed">
            <Time at={mail.at} />
          </Text>
        </Group>
      </UnstyledButton>
      {isOpen && <MailBody mailId={mail.mailId} />}
    </>
  );
}

function MailBody({ mailId }: { mailId: string }) {
  const mail = useQuery(resourceQuery<Mail>(`/dashboard/mailbox/${mailId}`));
  return (
    <Box px="md" pb="md">
      <Loaded query={mail} rows={3}>
        {({ text, links }) => (
          <Stack gap="sm">
            <Text size="sm" className={classes.text}>
              {text}
            </Text>
            {links.filter(isOwn).map((link) => (
              <Group key={link}>
                <Button component="a" href={link} size="xs">
                  Open the link
                </Button>
              </Group>
            ))}
          </Stack>
        )}
      </Loaded>
    </Box>
  );
}

const isOwn = (link: string): boolean =>
  URL.canParse(link) && new URL(link).origin === window.location.origin;
