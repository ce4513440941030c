/** Everything that is told. An endpoint takes all of it, or the types that it names. */
export const eventTypes = [
  "kyc.initiated",
  "kyc.pending",
  "kyc.approved",
  "kyc.rejected",
  "card.issued",
  "card.updated",
  "card.merchants_changed",
  "card.frozen",
  "card.unfrozen",
  "card.terminated",
  "card.topped_up",
  "card.withdrawn",
  "card.transferred",
  "card.regularized",
  "transaction.authorized",
  "transaction.declined",
  "transaction.settled",
  "transaction.reversed",
  "transaction.partially_reversed",
  "transaction.refunded",
  "transaction.expired",
  "charge.cross_border.collected",
  "charge.cross_border.pending",
  "authorization.remote_timeout",
  "authorization.late_answer",
  "wallet.deposited",
  "webhook_endpoint.disabled",
] as const;

export type EventType = (typeof eventTypes)[number];

/** The message that tries an endpoint out. It tells of nothing, so nobody can ask for it. */
export const TEST_EVENT_TYPE = "webhook_endpoint.test";
