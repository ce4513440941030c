/** What the service relies on, whatever the role or the database prefers. */
export const RELIED_ON: Record<string, string> = {
  // How times are read.
  datestyle: "ISO",
  // Locks come before looks, and nothing is retried for want of an order.
  default_transaction_isolation: "read committed",
  // How what is missing is written in arrays.
  array_nulls: "on",
};

/** Makes a session of our own so. */
export const SETTLE_SESSION: string[] = Object.entries(RELIED_ON).map(
  ([name, wanted]) => `set ${name} = '${wanted}'`,
);
