import { ActionIcon, CopyButton, Group, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import classes from "./copy.module.css";

interface CopyProps {
  value: string;
  /** What is copied, for those who cannot see the value beside it. */
  label: string;
}

export function Copy({ value, label }: CopyProps) {
  return (
    <CopyButton value={value} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? "Copied" : "Copy"}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            onClick={copy}
            aria-label={copied ? `${label}: copied` : `Copy ${label}`}
          >
            {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

/** More characters than a column of facts has room for. */
const LONG = 18;

/** An id that can be read, selected and copied. */
export function CopyText({ value, label }: CopyProps) {
  return (
    <Group
      gap={2}
      wrap="nowrap"
      className={classes.row}
      {...(value.length > LONG ? { "data-long": true } : {})}
    >
      <code className={classes.text}>{value}</code>
      <Copy value={value} label={label} />
    </Group>
  );
}
