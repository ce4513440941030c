import { firstOf } from "./first-of.ts";
import { keptOfCards } from "./kept.ts";

/**
 * What a card's approved purchases took on each UTC day, by the time that they were counted for: as they stand now, a
 * refund gives a day nothing back unless it took the place of a reversal, which only the clearing knows.
 */
const SPENDING = `
  select organization_id, card_id,
         floor(extract(epoch from coalesce((events -> 0 ->> 'at')::timestamptz, created_at)) / 86400)::int as day,
         sum(held_minor + settled_minor) as most, sum(held_minor + settled_minor - refunded_minor) as least
    from transactions
   where approved and type in ('Authorization', 'PreAuthorization', 'CashWithdrawal', 'Settlement')
   group by 1, 2, 3`;

/** What a limit is held against is what was really bought. */
export const counters = [
  firstOf(
    `select card_id, format('Card %s (%s) has spent %s on day %s by its counter, but %s by its purchases.',
                            card_id, organization_id, k.kept ->> 'spent', k.kept ->> 'day', coalesce(s.most, 0)) as problem
       from (select *, (kept ->> 'day')::int as day from (${keptOfCards("counters")}) n) k
       left join (${SPENDING}) s using (organization_id, card_id, day)
      where (k.kept ->> 'spent')::numeric not between coalesce(s.least, 0) and coalesce(s.most, 0)`,
  ),
  firstOf(
    `select card_id, format('Card %s (%s) counts %s swipes, but made %s purchases.',
                            card_id, organization_id, k.kept ->> 'swipes', coalesce(t.purchases, 0)) as problem
       from (${keptOfCards("counters")}) k
       join cards c using (organization_id, card_id)
       left join (select organization_id, card_id, count(*) as purchases from transactions
                   where approved and billing_amount_minor > 0
                     and type in ('Authorization', 'PreAuthorization', 'CashWithdrawal')
                   group by organization_id, card_id) t using (organization_id, card_id)
      where c.type = 'Lite' and (k.kept ->> 'swipes')::bigint is distinct from coalesce(t.purchases, 0)`,
  ),
];
