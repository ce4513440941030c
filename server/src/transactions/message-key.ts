import { isServerError } from "../db/errors.ts";

/** Names a message of the network. The type comes first, because it never has a blank. */
export const messageKey = (requestType: string, networkReference: string): string =>
  `${requestType} ${networkReference}`;

/** The constraints by which the database lets no two messages have the same key. */
const CONSTRAINTS = [
  "transactions_of_network_reference",
  "network_messages_pkey",
  "unapplied_messages_pkey",
];

/**
 * Runs what brings a message of the network on record. Two of the same key about different cards may
 * meet in the database, which takes the first; run again, the second finds it.
 */
export async function retryIfMessageKeyTaken<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!isServerError(error) || !CONSTRAINTS.includes(error.constraint ?? "")) throw error;
    return run();
  }
}
