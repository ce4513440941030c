import type { Event as FlorinEvent } from "@florin/sdk";
import type { ComponentProps } from "react";
import { type Column, DataList } from "../ui/data-list.tsx";
import { Empty } from "../ui/states.tsx";
import { Time } from "../ui/time.tsx";

const columns: Column<FlorinEvent>[] = [
  { header: "Type", cell: ({ eventType }) => <code className="mono">{eventType}</code> },
  {
    header: "About",
    from: "Sm",
    cell: ({ data, clientReference }) => (
      <code className="mono">{subjectOf(data) ?? clientReference ?? "–"}</code>
    ),
  },
  {
    header: "Sequence",
    align: "right",
    width: "110px",
    from: "Md",
    cell: ({ sequence }) => sequence ?? "–",
  },
  {
    header: "When",
    cell: ({ createdAt }) => <Time at={createdAt} />,
    width: "clamp(152px, 27vw, 172px)",
  },
];

function subjectOf(data: Record<string, unknown>): string | undefined {
  const ids = [data.transactionId, data.cardId, data.kycToken, data.walletId];
  return ids.find((id): id is string => typeof id === "string");
}

interface EventListProps {
  source: ComponentProps<typeof DataList<FlorinEvent>>["source"];
  empty: ComponentProps<typeof Empty>;
}

export function EventList({ source, empty }: EventListProps) {
  return (
    <DataList
      label="Events"
      noun="event"
      source={source}
      columns={columns}
      rowKey={({ eventId }) => eventId}
      linkTo={({ eventId }) => `/events/${eventId}`}
      empty={<Empty {...empty} />}
    />
  );
}
