import { type CardFacts, type CardTerms, newCounters } from "../../src/cards/card.ts";
import { cardCounters, cardTerms } from "../../src/cards/kept-tables.ts";
import type { Pool } from "../../src/db/pool.ts";
import type { Owned } from "../../src/engine/table.ts";
import type { Kept } from "../../src/ledger/accounts.ts";

/** What is kept of a card that has counted nothing yet. */
export const keptOf = (card: CardTerms & CardFacts): Kept => ({
  counters: [cardCounters.inAccount?.write(newCounters(card))],
  terms: [cardTerms.inAccount?.write(card)],
});

/** Keeps what a purchase must know of a card where its account is, for cards that nobody issued. */
export async function keep(pool: Pool, card: Owned<CardTerms & CardFacts>): Promise<void> {
  const { organizationId, accountId, cardId, isGuest } = card;
  const kept = JSON.stringify(keptOf(card));
  if (isGuest) {
    await pool.query(
      "insert into account_annexes (organization_id, annex_id, account_id, kept) values ($1, $2, $3, $4)",
      [organizationId, cardId, accountId, kept],
    );
  }
  await pool.query(
    "update accounts set kept = kept::jsonb || $3::jsonb where organization_id = $1 and account_id = $2",
    [organizationId, accountId, isGuest ? '{"annexes":true}' : kept],
  );
}

/** What a card has counted, as it is kept. */
interface Counted {
  events: number;
  swipes: number;
  day: number;
  spent: number;
  mids: [white: number, black: number];
  early: number;
}

/** Makes a card count something else, behind the service's back. */
export async function miscount(pool: Pool, cardId: string, wrong: Partial<Counted>): Promise<void> {
  const miscounted = `
    set kept = jsonb_set(kept::jsonb, '{counters,0}', kept::jsonb #> '{counters,0}' || $2)
    where kept::jsonb #>> '{counters,0,card}' = $1`;
  for (const keepers of ["accounts", "account_annexes"]) {
    await pool.query(`update ${keepers} ${miscounted}`, [cardId, JSON.stringify(wrong)]);
  }
}

export async function countersOf(pool: Pool, cardId: string): Promise<Counted> {
  const { rows } = await pool.query<{ counted: Counted }>(
    `select kept #> '{counters,0}' as counted
       from (select kept from accounts union all select kept from account_annexes) keepers
      where kept #>> '{counters,0,card}' = $1`,
    [cardId],
  );
  return rows[0]?.counted as Counted;
}
