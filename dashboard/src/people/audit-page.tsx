import { Text } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { AuditEntry, Person } from "../api/own-types.ts";
import { many, one } from "../api/queries.ts";
import { type Column, DataList } from "../ui/data-list.tsx";
import { Choice, FilterBar } from "../ui/filter-bar.tsx";
import { Page } from "../ui/page.tsx";
import { Empty } from "../ui/states.tsx";
import { Time } from "../ui/time.tsx";
import { useFilters } from "../ui/use-filters.ts";
import { inWords } from "../ui/words.ts";

const who = ({ person }: AuditEntry): string => person?.name ?? "Operator or stranger";

const columns: Column<AuditEntry>[] = [
  { header: "Who", from: "Xs", cell: who },
  {
    header: "Did what",
    cell: (entry) => (
      <>
        {inWords(entry.action)}
        <Text hiddenFrom="xs" size="xs" c="dimmed" truncate>
          {who(entry)}
        </Text>
      </>
    ),
  },
  {
    header: "To what",
    from: "Sm",
    cell: ({ subject }) => <code className="mono">{subject ?? "–"}</code>,
  },
  { header: "Details", from: "Lg", cell: ({ detail }) => sayDetail(detail) },
  { header: "From", from: "Md", width: "140px", cell: ({ address }) => address ?? "–" },
  { header: "When", cell: ({ at }) => <Time at={at} />, width: "clamp(150px, 14vw, 172px)" },
];

function sayDetail(detail: unknown): string {
  if (detail === null || detail === undefined) return "–";
  if (typeof detail !== "object") return String(detail);
  const parts = Object.entries(detail).map(([name, value]) => `${name}: ${value}`);
  return parts.length === 0 ? "–" : parts.join(", ");
}

export function AuditPage() {
  const [{ personId }] = useFilters();
  const people = useQuery(one<Person[]>("/dashboard/people"));
  const entries = useInfiniteQuery(many<AuditEntry>("/dashboard/audit", "auditId", { personId }));
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
        empty={<Empty icon={IconHistory} title="Nothing yet" />}
      />
    </Page>
  );
}
