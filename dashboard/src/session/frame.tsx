import { Anchor, Group, Stack, Text, Title } from "@mantine/core";
import { Link, useLocation } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { Logo } from "../ui/logo.tsx";
import classes from "./frame.module.css";
import { useMe } from "./use-me.ts";

interface FrameProps {
  title: string;
  lead?: ReactNode;
  isWide?: boolean;
  children: ReactNode;
}

/** Where people stand before they are in. */
export function Frame({ title, lead, isWide = false, children }: FrameProps) {
  const { hasMailbox } = useMe();
  const { pathname } = useLocation();
  useEffect(() => {
    document.title = `${title} · Florin`;
  }, [title]);
  return (
    <div className={classes.frame}>
      <main className={classes.main}>
        <div className={`${classes.card} ${isWide ? classes.wide : ""}`}>
          <Stack gap="lg">
            <Logo withName />
            <div>
              <Title order={1} fz={22}>
                {title}
              </Title>
              {lead !== undefined && (
                <Text component="div" c="dimmed" size="sm" mt={4}>
                  {lead}
                </Text>
              )}
            </div>
            {children}
          </Stack>
        </div>
      </main>
      <footer className={classes.foot}>
        {hasMailbox && (
          <Group justify="center" gap="xs">
            <Text size="xs" c="dimmed">
              Sandbox: no real money, no real mail.
            </Text>
            {pathname !== "/mailbox" && (
              <Anchor component={Link} to="/mailbox" size="xs">
                Open the mailbox
              </Anchor>
            )}
          </Group>
        )}
      </footer>
    </div>
  );
}
