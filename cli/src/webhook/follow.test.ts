import { ConnectionError, type Event, type Florin, type Page } from "@florin/sdk";
import { expect, test } from "vitest";
import { followEvents } from "./follow.ts";

/** A feed of these pages; what is an error is thrown instead. */
function feedOf(...pages: (Page<Event> | Error)[]): { florin: Florin; asked: unknown[] } {
  const asked: unknown[] = [];
  const list = ({ cursor }: { cursor?: string }) => ({
    page: async () => {
      asked.push(cursor);
      const page = pages.shift();
      if (page === undefined || page instanceof Error) throw page;
      return page;
    },
  });
  return { florin: { events: { list } } as unknown as Florin, asked };
}

const event = (eventId: string): Event => ({ eventId }) as Event;

test("a service that does not answer is waited for, and nothing is missed or told twice", async () => {
  const { florin, asked } = feedOf(
    { data: [event("evt_1")], nextCursor: "a" },
    new ConnectionError({ message: "It restarts." }),
    { data: [event("evt_2")], nextCursor: "b" },
  );
  const ending = new AbortController();
  const troubles: boolean[] = [];
  const told: string[] = [];
  const following = { from: "2026-01-31", signal: ending.signal };
  const onTrouble = (isOver: boolean) => troubles.push(isOver);
  for await (const { eventId } of followEvents(florin, { ...following, onTrouble })) {
    told.push(eventId);
    if (eventId === "evt_2") ending.abort();
  }
  expect(told).toEqual(["evt_1", "evt_2"]);
  expect(troubles).toEqual([false, true]);
  expect(asked).toEqual([undefined, "a", "a"]);
});
