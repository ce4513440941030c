import { type CardFacts, type CardTerms, newCounters } from "../../src/cards/card.ts";
import { cardCounters, cardTerms } from "../../src/cards/kept-tables.ts";
import type { Pool } from "../../src/db/pool.ts";
import type { Kept } from "../../src/ledger/accounts.ts";

/** What an account keeps of cards that have counted nothing yet. */
export const keptOf = (...cards: readonly (CardTerms & CardFacts)[]): Kept => ({
  counters: cards.flatMap((card) => cardCounters.inAccount?.write(newCounters(card)) ?? []),
  terms: cards.flatMap((card) => cardTerms.inAccount?.write(card) ?? []),
});

/** What a card has counted, as its account keeps it. */
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
  await pool.query(
    `update accounts a
        set kept = jsonb_set(kept::jsonb, '{counters}', (
              select jsonb_agg(case when e ->> 'card' = $1 then e || $2 else e end)
                from jsonb_array_elements(kept::jsonb -> 'counters') e))
       from cards c
      where c.card_id = $1 and a.organization_id = c.organization_id and a.account_id = c.account_id`,
    [cardId, JSON.stringify(wrong)],
  );
}

export async function countersOf(pool: Pool, cardId: string): Promise<Counted> {
  const { rows } = await pool.query<{ counted: Counted }>(
    `select counted from cards join accounts using (organization_id, account_id),
            json_array_elements(kept -> 'counters') counted
      where card_id = $1 and counted ->> 'card' = $1`,
    [cardId],
  );
  return rows[0]?.counted as Counted;
}
