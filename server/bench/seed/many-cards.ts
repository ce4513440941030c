import type { Pool } from "../../src/db/pool.ts";
import { firstId, type IdPrefix } from "../../src/foundation/ids.ts";
import type { JoinedDatabase } from "../database.ts";
import { type SeededCard, seedCards } from "./cards.ts";

/** Of an id, behind its time. */
const RANDOM_CHARACTERS = 16;

/** What stands before the random part of an id of this moment. */
export const idBeginning = (prefix: IdPrefix, atMs: number): string =>
  firstId(prefix, atMs).slice(0, -RANDOM_CHARACTERS);

/** A random part that grows with a number, as those of real ids grow with time. */
export const idEnding = (number: string): string =>
  `lpad(to_hex(${number}), 8, '0') || left(md5((${number})::text), 8)`;

/** So many cards that the database has to write them itself: copies of one, each with its own account. */
export async function seedManyCards(
  { run }: JoinedDatabase,
  pool: Pool,
  organizationId: string,
  count: number,
): Promise<void> {
  const [model] = await seedCards(pool, organizationId, 1);
  if (model === undefined) throw new Error("There is no card.");
  const { cardId, accountId } = model;
  const [card, account, customer] = (["card", "acc", "cus"] as const).map((prefix) =>
    idBeginning(prefix, Date.now()),
  );
  const copy = (table: string, key: string, changes: string): string => `
    insert into ${table}
    select copied.* from ${table} model cross join generate_series(1, $3::int) as n
     cross join lateral jsonb_populate_record(model, jsonb_build_object(${changes})) as copied
     where model.organization_id = $1 and model.${key} = $2`;
  const id = (column: string, parameter: string): string =>
    `'${column}', ${parameter}::text || ${idEnding("n")}`;
  const kept = `'kept', replace(model.kept::text, $6, $5::text || ${idEnding("n")})::jsonb`;
  await run(copy("accounts", "account_id", `${id("account_id", "$4")}, ${kept}`), [
    organizationId,
    accountId,
    count,
    account,
    card,
    cardId,
  ]);
  await run(
    copy(
      "cards",
      "card_id",
      [id("card_id", "$4"), id("account_id", "$5"), id("customer_id", "$6")].join(", "),
    ),
    [organizationId, cardId, count, card, account, customer],
  );
}

/** About so many percent of an organization's cards, spread over all of them. */
export async function sampleCards(
  pool: Pool,
  organizationId: string,
  percent: number,
): Promise<SeededCard[]> {
  const { rows } = await pool.query<SeededCard>(
    `select card_id as "cardId", account_id as "accountId", customer_id as "customerId"
       from cards tablesample bernoulli ($2) where organization_id = $1`,
    [organizationId, percent],
  );
  return rows;
}
