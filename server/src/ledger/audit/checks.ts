import { cards, debts } from "./cards.ts";
import { charges } from "./charges.ts";
import { counters } from "./counters.ts";
import { events } from "./events.ts";
import { holds } from "./holds.ts";
import { accounts, adjustments, journal } from "./journal.ts";
import { messages } from "./messages.ts";
import { payments } from "./payments.ts";

/** Each query names the first thing that does not hold, and gives no row when all does. */
export const CHECKS: readonly string[] = [
  ...journal,
  ...accounts,
  ...payments,
  ...holds,
  ...messages,
  ...cards,
  ...counters,
  ...debts,
  ...events,
  ...charges,
  ...adjustments,
];
