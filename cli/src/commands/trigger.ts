import { setTimeout as pause } from "node:timers/promises";
import type { Event, EventType, Florin } from "@florin/sdk";
import type { Command } from "commander";
import { CommandFailure } from "../exit.ts";
import { makeHappen, recipes } from "../scenario/recipes.ts";
import { show } from "../session.ts";
import { table } from "../terminal/table.ts";
import { run } from "./action.ts";
import { eventTypeOf } from "./event-types.ts";
import { eventLine } from "./present.ts";

const PATIENCE_MS = 10_000;

export function addTrigger(program: Command): void {
  const command = program
    .command("trigger")
    .argument("[event]", "the type of the event, such as transaction.declined")
    .description("Make an event really happen in the sandbox; without a type, list them");
  run(command, async (session, [name]) => {
    const { florin, profile, terminal } = session;
    if (name === undefined) {
      const rows = Object.entries(recipes).map(([event, { how }]) => ({ event, how }));
      const columns = [
        { head: "event", cell: (row: (typeof rows)[number]) => row.event },
        { head: "how it is made", cell: (row: (typeof rows)[number]) => row.how },
      ];
      show(session, rows, () => table(terminal, columns, rows));
      return;
    }
    const type = eventTypeOf(name);
    const before = new Set((await newest(florin, type)).map(({ eventId }) => eventId));
    if (!session.isJson) terminal.say(terminal.style("dim", `The sandbox ${recipes[type].how} …`));
    await makeHappen(florin, profile.apiUrl, type);
    const event = await appeared(florin, type, before);
    show(
      session,
      event,
      () => `${eventLine(terminal, event)}\n${JSON.stringify(event.data, null, 2)}`,
    );
  });
}

const newest = (florin: Florin, type: EventType): Promise<Event[]> =>
  florin.events.list({ type, limit: 100 }).toArray(100);

/** Some events come a moment after their cause. */
async function appeared(
  florin: Florin,
  type: EventType,
  before: ReadonlySet<string>,
): Promise<Event> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const event = (await newest(florin, type)).find(({ eventId }) => !before.has(eventId));
    if (event !== undefined) return event;
    if (Date.now() > deadline) throw new CommandFailure(`${type} did not happen in time.`);
    await pause(100);
  }
}
