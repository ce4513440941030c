import { Anchor, Divider, Stack } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { AuditEntry } from "../api/own-types.ts";
import { ReadingDialog } from "../ui/dialogs.tsx";
import { Facts } from "../ui/facts.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/time.tsx";
import { inWords } from "../ui/words.ts";
import { detailsOf, outcomeOf, placeOf, sayValue, whoDid } from "./audit-words.ts";

/** A whole entry: what the list has no room for. */
export function AuditDialog({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  return (
    <ReadingDialog title={inWords(entry.action)} onClose={onClose}>
      <Stack gap="md">
        <Facts
          facts={[
            ["Who", <Who key="w" entry={entry} />],
            ["To what", <Thing key="t" value={entry.subject ?? "–"} />],
            ["When", <Exactly key="a" at={entry.at} />],
            ["Outcome", <Outcome key="o" entry={entry} />],
            ["From", entry.address ?? "–"],
            ["Action", <Code key="c">{entry.action}</Code>],
            ["Entry", <Code key="e">{entry.auditId}</Code>],
          ]}
        />
        <Details entry={entry} />
      </Stack>
    </ReadingDialog>
  );
}

function Outcome({ entry }: { entry: AuditEntry }) {
  const { brief, reason, tone } = outcomeOf(entry);
  return (
    <>
      <Status value={brief} tone={tone} />
      {reason !== undefined && <span data-long> {reason}</span>}
    </>
  );
}

function Details({ entry }: { entry: AuditEntry }) {
  const details = detailsOf(entry).map(([name, value]): [string, ReactNode] => [
    inWords(name),
    <Thing key={name} value={value} />,
  ]);
  if (details.length === 0) return null;
  return (
    <>
      <Divider label="Details" labelPosition="left" />
      <Facts facts={details} />
    </>
  );
}

function Who({ entry }: { entry: AuditEntry }) {
  const id = entry.person?.personId ?? entry.detail.actor;
  return (
    <>
      {whoDid(entry)}
      {id !== undefined && (
        <div>
          <Code>{String(id)}</Code>
        </div>
      )}
    </>
  );
}

const Exactly = ({ at }: { at: string }) => (
  <>
    <Time at={at} as="full" />
    <div>
      <Code>{at}</Code>
    </div>
  </>
);

/** What has a page leads there. */
export function Thing({ value }: { value: unknown }) {
  const place = placeOf(value);
  if (place === undefined) {
    return typeof value === "string" ? <Code>{value}</Code> : sayValue(value);
  }
  return (
    <Anchor component={Link} to={place} size="sm">
      <Code>{String(value)}</Code>
    </Anchor>
  );
}

const LONG_CHARACTERS = 24;

const Code = ({ children }: { children: string }) => (
  <code className="mono" {...(children.length < LONG_CHARACTERS ? {} : { "data-long": true })}>
    {children}
  </code>
);
