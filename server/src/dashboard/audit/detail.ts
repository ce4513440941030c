const MAX_LISTED = 50;
const MID = /^[A-Za-z0-9]{1,15}$/;

/**
 * Fields whose values may be read again by whoever reads the log. Of all others, such as addresses of
 * endpoints, which may hold a token, or metadata, no more than the name is kept, and that of changes.
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

/** Of what was sent: what moved, what was changed, and to what as far as that is harmless. */
export function detailOf(method: string, body: unknown): Record<string, unknown> {
  // Lists of merchants come as nothing but their ids. What is none may be anything.
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
const isMid = (value: unknown): boolean => typeof value === "string" && MID.test(value);

/** A long list would be all that there is to see. */
function listed(items: unknown[]): unknown[] {
  if (items.length <= MAX_LISTED) return items;
  return [...items.slice(0, MAX_LISTED), `and ${items.length - MAX_LISTED} more`];
}
