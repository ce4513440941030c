import type { Pool } from "../../src/db/pool.ts";
import { describeOpeningEvent } from "../../src/transactions/opening-event.ts";
import { completeEvents, type Kept } from "../../src/webhooks/events/complete-events.ts";
import { runStatements } from "./statements.ts";

export interface CardEvent {
  eventType: string;
  sequence: bigint;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape.
  data: any;
}

/** For statements that read events: what completes them. */
export const KEPT = `
  organization_id as "organizationId", begins as "opensTransactionId", created_at as "createdAt", data`;

/** What was told of a card, in its order, as clients hear it. */
export async function cardEvents(pool: Pool, cardId: string): Promise<CardEvent[]> {
  const { rows } = await pool.query<CardEvent & Kept>(
    `select event_type as "eventType", sequence, ${KEPT} from events where card_id = $1 order by sequence`,
    [cardId],
  );
  const told = await completed(pool, rows);
  return told.map(({ eventType, sequence, data }) => ({ eventType, sequence, data }));
}

export async function completed<Row extends Kept & { data: object }>(
  pool: Pool,
  rows: Row[],
): Promise<Row[]> {
  return completeEvents(
    rows,
    async (statement) => (await runStatements(pool, statement))[0]?.rows ?? [],
    (row, payment) => ({ ...row, data: describeOpeningEvent(payment, row) }),
  );
}
