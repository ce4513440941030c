import type { Connection } from "../../db/pool.ts";
import { type Charge, MAX_COLLECTED } from "./charge.ts";
import { CHARGE_COLUMNS } from "./table.ts";

/** A card's charges, newest first, those before a given one. */
export async function listCharges(
  db: Connection,
  card: { organizationId: string; cardId: string },
  { before, limit }: { before: string | undefined; limit: number },
): Promise<Charge[]> {
  const { rows } = await db.query<Charge>(
    `select ${CHARGE_COLUMNS} from cross_border_charges c
      where organization_id = $1 and card_id = $2 and ($3::text is null or charge_id < $3)
      order by charge_id desc limit $4`,
    [card.organizationId, card.cardId, before, limit],
  );
  return rows;
}

/** Whether a card and the account behind it owe more charges than one step may collect. */
export async function owesMoreThanAStep(
  db: Connection,
  {
    organizationId,
    cardId,
    accountId,
  }: { organizationId: string; cardId: string; accountId: string },
): Promise<boolean> {
  const { rows } = await db.query<{ owed: number }>(
    `select count(*)::int as owed from (select from cross_border_charges
      where organization_id = $1 and (card_id = $2 or account_id = $3) and status = 'Pending'
      limit $4) c`,
    [organizationId, cardId, accountId, MAX_COLLECTED + 1],
  );
  return (rows[0]?.owed ?? 0) > MAX_COLLECTED;
}
