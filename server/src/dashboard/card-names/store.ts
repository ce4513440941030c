import type { Connection } from "../../db/pool.ts";

interface CardName {
  cardId: string;
  maskedPan: string;
}

/** The digits that may be shown of these cards, as far as they are the organization's. */
export async function findCardNames(
  db: Connection,
  organizationId: string,
  cardIds: readonly string[],
): Promise<CardName[]> {
  const { rows } = await db.query<CardName>(
    `select card_id as "cardId", masked_pan as "maskedPan" from cards
      where organization_id = $1 and card_id = any($2)`,
    [organizationId, cardIds],
  );
  return rows;
}
