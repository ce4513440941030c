import { IconHistory } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { AuditEntry, Person } from "../api/own-types.ts";
import { listQuery, resourceQuery } from "../api/queries.ts";
import { Below } from "../ui/below.tsx";
import { type Column, DataList } from "../ui/data-list.tsx";
import { Choice, FilterBar } from "../ui/filter-bar.tsx";
import { Page } from "../ui/page.tsx";
import { Empty } from "../ui/states.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/time.tsx";
import { useFilters } from "../ui/use-filters.ts";
import { useFreshTop } from "../ui/use-fresh-top.ts";
import { inWords } from "../ui/words.ts";
import { AuditDialog, Thing } from "./audit-dialog.tsx";
import { outcomeOf, sayDetails, whoDid } from "./audit-words.ts";

const columns: Column<AuditEntry>[] = [
  { header: "Did what", cell: (entry) => <DidWhat entry={entry} /> },
  { header: "Who", from: "Sm", cell: whoDid },
  { header: "Outcome", from: "Sm", cell: (entry) => <Outcome entry={entry} /> },
  { header: "To what", from: "Md", cell: ({ subject }) => <Thing value={subject ?? "–"} /> },
  { header: "When", cell: ({ at }) => <Time at={at} />, width: "clamp(150px, 27vw, 172px)" },
];

/** With details below; on a phone, with what has no column there. */
function DidWhat({ entry }: { entry: AuditEntry }) {
  const { brief, tone } = outcomeOf(entry);
  const inShort = tone === "positive" ? whoDid(entry) : `${brief} · ${whoDid(entry)}`;
  return (
    <>
      {inWords(entry.action)}
      <Below until="sm">{inShort}</Below>
      <Below from="sm">{sayDetails(entry)}</Below>
    </>
  );
}

function Outcome({ entry }: { entry: AuditEntry }) {
  const { brief, reason, tone } = outcomeOf(entry);
  return (
    <>
      <Status value={brief} tone={tone} />
      {reason !== undefined && <Below title={reason}>{reason}</Below>}
    </>
  );
}

export function AuditPage() {
  const [{ personId }] = useFilters();
  const [opened, setOpened] = useState<AuditEntry>();
  const people = useQuery(resourceQuery<Person[]>("/dashboard/people"));
  const list = listQuery<AuditEntry>("/dashboard/audit", "auditId", { personId });
  const entries = useInfiniteQuery(list);
  useFreshTop(list.queryKey);
  return (
    <Page
      title="Audit log"
      lead="Everything that people did here: log-ins, looks at full card numbers, every change."
    >
      <FilterBar names={["personId"]}>
        <Choice
          name="personId"
          label="Person"
          options={(people.data ?? []).map((person) => ({
            value: person.personId,
            label: person.name,
          }))}
        />
      </FilterBar>
      <DataList
        label="Audit log"
        noun="entry"
        source={entries}
        columns={columns}
        rowKey={({ auditId }) => auditId}
        onOpen={setOpened}
        empty={<Empty icon={IconHistory} title="Nothing yet" />}
      />
      {opened !== undefined && <AuditDialog entry={opened} onClose={() => setOpened(undefined)} />}
    </Page>
  );
}
