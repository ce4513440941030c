import type { Connection } from "../../db/pool.ts";
import type { Charge } from "./charge.ts";
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
