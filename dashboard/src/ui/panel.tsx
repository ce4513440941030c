import { Box, Group, Text, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import classes from "./panel.module.css";

interface PanelProps {
  title?: string;
  lead?: ReactNode;
  actions?: ReactNode;
  /** Lets a table or a list reach the border. */
  isFlush?: boolean;
  /** As tall as its neighbours in a grid. */
  isTall?: boolean;
  children: ReactNode;
}

export function Panel({
  title,
  lead,
  actions,
  isFlush = false,
  isTall = false,
  children,
}: PanelProps) {
  const id = useId();
  return (
    <section
      className={`${classes.panel} ${isTall ? classes.tall : ""}`}
      {...(title === undefined ? {} : { "aria-labelledby": id })}
    >
      {title !== undefined && (
        <Group className={classes.head} justify="space-between" gap="sm">
          <Box>
            <Title order={2} id={id}>
              {title}
            </Title>
            {lead !== undefined && (
              <Text component="div" size="sm" c="dimmed">
                {lead}
              </Text>
            )}
          </Box>
          {actions !== undefined && <Group gap="xs">{actions}</Group>}
        </Group>
      )}
      <div className={isFlush ? classes.flush : classes.body}>{children}</div>
    </section>
  );
}
