import { MID_PATTERN } from "../../transactions/transaction.ts";

const MAX_LISTED = 50;

/**
 * Fields whose values are kept. Others may hold secrets, as the address of an endpoint or metadata may: of a
 * change, their names are kept, and otherwise nothing.
 */
const HARMLESS: readonly string[] = [
  "cardLimits",
  "whiteListedMccs",
  "blackListedMccs",
  "contactlessPayment",
  "eventTypes",
  "status",
  "swipeCount",
  "sharedBalance",
  "seconds",
  "fault",
  "count",
];

/** What an entry keeps of a request's body: the amount, the names of changed fields, and harmless values. */
export function detailOf(method: string, body: unknown): Record<string, unknown> {
  // A list in a body is one of merchant ids. Whatever is no merchant id may be anything, and is left out.
  if (Array.isArray(body)) return { merchants: listed(body.filter(isMid)) };
  const sent = (body ?? {}) as Record<string, unknown>;
  const moved = [sent.amount, sent.initialBalance, sent.balance].find(isNumber);
  const values = HARMLESS.filter((name) => sent[name] !== undefined).map((name) => [
    name,
    Array.isArray(sent[name]) ? listed(sent[name]) : sent[name],
  ]);
  return {
    ...(moved === undefined ? {} : { amount: moved }),
    ...(method === "PATCH" ? { changed: Object.keys(sent) } : {}),
    ...Object.fromEntries(values),
  };
}

const isNumber = (value: unknown): boolean => typeof value === "number";
const isMid = (value: unknown): boolean => typeof value === "string" && MID_PATTERN.test(value);

/** A long list would fill the whole entry. */
function listed(items: unknown[]): unknown[] {
  if (items.length <= MAX_LISTED) return items;
  return [...items.slice(0, MAX_LISTED), `and ${items.length - MAX_LISTED} more`];
}
