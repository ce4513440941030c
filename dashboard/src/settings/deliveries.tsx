import { IconSend } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { Delivery } from "../api/own-types.ts";
import { listQuery } from "../api/queries.ts";
import { type Column, DataList } from "../ui/data-list.tsx";
import { Choice } from "../ui/filter-bar.tsx";
import { Panel } from "../ui/panel.tsx";
import { Empty } from "../ui/states.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/time.tsx";
import { useListFilters } from "../ui/use-filters.ts";

const NAMES = ["status"];

const columns: Column<Delivery>[] = [
  {
    header: "Event",
    cell: ({ eventType, eventId }) => <code className="mono">{eventType ?? eventId}</code>,
  },
  {
    header: "Status",
    cell: ({ status }) => <Status value={status} />,
    width: "clamp(126px, 12vw, 140px)",
  },
  {
    header: "Attempts",
    align: "right",
    width: "100px",
    from: "Md",
    cell: ({ attempts }) => attempts,
  },
  {
    header: "Last answer",
    from: "Sm",
    cell: ({ lastAttempt }) =>
      lastAttempt === null ? (
        <span className="dimmed">–</span>
      ) : (
        (lastAttempt.httpStatus ?? lastAttempt.error ?? "None")
      ),
  },
  {
    header: "Last attempt",
    from: "Md",
    width: "172px",
    cell: ({ lastAttempt }) =>
      lastAttempt === null ? <span className="dimmed">–</span> : <Time at={lastAttempt.at} />,
  },
  {
    header: "Next attempt",
    from: "Lg",
    width: "172px",
    cell: ({ nextAttemptAt }) =>
      nextAttemptAt === null ? <span className="dimmed">–</span> : <Time at={nextAttemptAt} />,
  },
];

/** What was sent to an endpoint, newest event first, and what became of it. */
export function Deliveries({ webhookEndpointId }: { webhookEndpointId: string }) {
  const { params, isFiltered } = useListFilters(NAMES);
  const path = `/dashboard/webhook-endpoints/${webhookEndpointId}/deliveries`;
  const source = useInfiniteQuery(listQuery<Delivery>(path, "eventId", params));
  return (
    <Panel
      title="Deliveries"
      actions={
        <Choice
          name="status"
          label="Status"
          isLabelHidden
          options={["Pending", "Delivered", "Failed"]}
        />
      }
      isFlush
    >
      <DataList
        label="Deliveries"
        noun="delivery"
        source={source}
        columns={columns}
        rowKey={({ eventId }) => eventId}
        linkTo={({ eventId }) => `/events/${eventId}`}
        isBare
        empty={
          <Empty
            icon={IconSend}
            title={isFiltered ? "No delivery has this status" : "Nothing was sent here yet"}
          />
        }
      />
    </Panel>
  );
}
