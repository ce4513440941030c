import { isServerError } from "../db/errors.ts";

const NAMES = [
  "transactions_of_network_reference",
  "network_messages_pkey",
  "unapplied_messages_pkey",
];

/**
 * Runs what brings a message of the network on record. Two of the same name about different cards may
 * meet in the database, which takes the first; run again, the second finds it.
 */
export async function onceMoreIfTaken<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!isServerError(error) || !NAMES.includes(error.constraint ?? "")) throw error;
    return run();
  }
}
