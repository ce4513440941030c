import type { Event as FlorinEvent } from "@florin/sdk";
import { IconActivity } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { listQuery } from "../api/queries.ts";
import { Choice, DayField, FilterBar, IdField, WordField } from "../ui/filter-bar.tsx";
import { Page } from "../ui/page.tsx";
import { useListFilters } from "../ui/use-filters.ts";
import { EventList } from "./event-list.tsx";
import { EVENT_TYPES } from "./types.ts";

const NAMES = ["type", "cardId", "clientReference", "from", "to"];

export function EventsPage() {
  const { params, isFiltered } = useListFilters(NAMES);
  const source = useInfiniteQuery(listQuery<FlorinEvent>("/api/v1/events", "eventId", params));
  return (
    <Page
      title="Events"
      lead="Everything that happened, as your webhook endpoints hear it. New ones appear by themselves."
    >
      <FilterBar names={NAMES}>
        <Choice name="type" label="Type" options={EVENT_TYPES} />
        <DayField name="from" label="From" />
        <DayField name="to" label="Until" />
        <IdField name="cardId" label="Card" prefix="card" />
        <WordField name="clientReference" label="Your reference" />
      </FilterBar>
      <EventList
        source={source}
        empty={{
          icon: IconActivity,
          title: isFiltered ? "No event matches these filters" : "No events yet",
          children: isFiltered
            ? undefined
            : "They come with the first verification, card or payment.",
        }}
      />
    </Page>
  );
}
