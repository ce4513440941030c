import { Anchor } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { one } from "../api/queries.ts";
import type { EventWithAttempts, FlorinEvent } from "../api/types.ts";
import { Panel } from "../ui/panel.tsx";
import { SimpleTable } from "../ui/simple-table.tsx";
import { Empty, Loading } from "../ui/states.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/time.tsx";

const LOOKED_AT = 15;

/** The newest events, with what became of them at this endpoint. */
export function RecentDeliveries({ webhookEndpointId }: { webhookEndpointId: string }) {
  const newest = useQuery(one<FlorinEvent[]>("/api/v1/events", { limit: LOOKED_AT }));
  const events = useQueries({
    queries: (newest.data ?? []).map(({ eventId }) =>
      one<EventWithAttempts>(`/api/v1/events/${eventId}`),
    ),
    combine: (results) => ({
      isPending: results.some(({ isPending }) => isPending),
      data: results.flatMap(({ data }) => (data === undefined ? [] : [data])),
    }),
  });
  const rows = events.data.flatMap((event) => rowOf(event, webhookEndpointId));
  return (
    <Panel title="Recent deliveries" lead={`Among the newest ${LOOKED_AT} events.`} isFlush>
      {newest.isPending || (events.isPending && rows.length === 0) ? (
        <Loading rows={3} />
      ) : rows.length === 0 ? (
        <Empty icon={IconSend} title="Nothing was sent here lately" />
      ) : (
        <SimpleTable
          label="Recent deliveries"
          head={["Event", "State", "Attempts", "Last answer", "When"]}
          rows={rows}
        />
      )}
    </Panel>
  );
}

function rowOf(event: EventWithAttempts, webhookEndpointId: string) {
  const delivery = event.deliveries.find((each) => each.webhookEndpointId === webhookEndpointId);
  if (delivery === undefined) return [];
  const attempts = event.attempts.filter((each) => each.webhookEndpointId === webhookEndpointId);
  const last = attempts.at(-1);
  return {
    key: event.eventId,
    cells: [
      <Anchor key="e" component={Link} to={`/events/${event.eventId}`} size="sm" className="mono">
        {event.eventType}
      </Anchor>,
      <Status key="s" value={delivery.status} />,
      attempts.length,
      last === undefined ? "–" : (last.httpStatus ?? last.error ?? "None"),
      <Time key="t" at={event.createdAt} />,
    ],
  };
}
