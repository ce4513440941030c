import type { Pool } from "../../src/db/pool.ts";
import { transaction } from "../../src/db/transaction.ts";
import { tellEvents } from "../../src/engine/events.ts";
import type { EventDraft } from "../../src/engine/operation.ts";

/** As many as a busy engine commits at once. */
const PER_ENTRY = 50;

/** Writes events as the engine does, all of them in one transaction. */
export async function seedEvents(
  pool: Pool,
  organizationId: string,
  count: number,
  told: Pick<EventDraft, "opensTransactionId" | "data">,
): Promise<void> {
  await transaction(pool, async (tx) => {
    for (let written = 0; written < count; written += PER_ENTRY) {
      const length = Math.min(PER_ENTRY, count - written);
      const events = Array.from({ length }, () => ({
        organizationId,
        eventType: "transaction.authorized",
        ...told,
      }));
      await tellEvents(tx, events, new Date());
    }
  });
}
