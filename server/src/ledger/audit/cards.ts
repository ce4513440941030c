import { firstOf } from "./first-of.ts";
import { IS_MISPLACED, keptOfCards } from "./kept.ts";

export const cards = [
  `select format('Card %s (%s) spends from account %s, which is no card account in %s.',
                 c.card_id, c.organization_id, c.account_id, c.currency) as problem
     from cards c left join accounts a using (organization_id, account_id)
    where a.kind is distinct from 'Card' or a.currency is distinct from c.currency
    order by c.card_id limit 1`,
  `select format('Card %s (%s) belongs to customer %s, who does not exist.',
                 c.card_id, c.organization_id, c.customer_id) as problem
     from cards c
    where not exists (select from customers u
                       where u.organization_id = c.organization_id and u.customer_id = c.customer_id)
    order by c.card_id limit 1`,
  `select format('Account %s (%s) is a card account without a card.', a.account_id, a.organization_id) as problem
     from accounts a
    where a.kind = 'Card' and not exists (
      select from cards c where c.organization_id = a.organization_id and c.account_id = a.account_id)
    order by a.account_id limit 1`,
  `select format('Account %s (%s) has %s, which none of its cards can spend and its wallet was not paid.',
                 a.account_id, a.organization_id, a.posted_minor) as problem
     from accounts a
     join (select organization_id, account_id from cards group by organization_id, account_id
           having bool_and(status = 'Terminated')) closed using (organization_id, account_id)
    where a.posted_minor > 0 and a.held_minor = 0
    order by a.account_id limit 1`,
  // A purchase is decided by what the account keeps; everybody else reads the card's own row.
  firstOf(
    `select card_id, format('Account %s (%s) keeps other terms of card %s than the card has.',
                            coalesce(c.account_id, k.account_id), organization_id, card_id) as problem
       from cards c full join (${keptOfCards("terms")}) k using (organization_id, card_id)
      where ${IS_MISPLACED}
         or k.kept is distinct from jsonb_build_object(
              'status', c.status, 'expires', jsonb_build_array(c.expiry_year, c.expiry_month),
              'contactless', c.contactless_payment, 'daily', c.daily_limit_minor, 'each', c.transaction_limit_minor,
              'mccs', jsonb_build_array(c.white_listed_mccs, c.black_listed_mccs), 'swipes', c.swipe_count)`,
  ),
  firstOf(
    `select card_id, format('Account %s (%s) counts for card %s, which is not kept there.',
                            k.account_id, organization_id, card_id) as problem
       from (${keptOfCards("counters")}) k left join cards c using (organization_id, card_id)
      where ${IS_MISPLACED}`,
  ),
  `select format('Account %s (%s) has annexes, but does not say so.', x.account_id, x.organization_id) as problem
     from account_annexes x left join accounts a using (organization_id, account_id)
    where a.kept ->> 'annexes' is distinct from 'true' order by x.annex_id limit 1`,
  firstOf(
    `select card_id, format('Card %s (%s) has %s merchants on its whitelist and %s on its blacklist, but its account counts %s.',
                            card_id, organization_id, coalesce(m.white, 0), coalesce(m.black, 0),
                            coalesce(k.kept ->> 'mids', 'none')) as problem
       from cards c
       left join (${keptOfCards("counters")}) k using (organization_id, card_id)
       left join (select organization_id, card_id, count(*) filter (where list = 'White') as white,
                         count(*) filter (where list = 'Black') as black
                    from card_merchants group by organization_id, card_id) m using (organization_id, card_id)
      where k.kept -> 'mids' is distinct from jsonb_build_array(coalesce(m.white, 0), coalesce(m.black, 0))`,
  ),
  firstOf(
    `select card_id, format('Card %s (%s) was sent a reversal too early on day %s, but its account knows of day %s.',
                            card_id, organization_id, u.day, coalesce(k.kept ->> 'early', 'none')) as problem
       from (select organization_id, card_id, max(floor(extract(epoch from created_at) / 86400)::int) as day
               from unapplied_messages where original_key is not null group by organization_id, card_id) u
       left join (${keptOfCards("counters")}) k using (organization_id, card_id)
      where coalesce((k.kept ->> 'early')::int, 0) < u.day`,
  ),
];

/** Whoever owes gets no new card, and whoever does not must not be kept from one. */
export const debts = [
  `select format(case when a.is_negative then 'Account %s (%s) is below zero, but is not noted as a debt of %s.'
                      else 'Account %s (%s) is noted as a debt of %s, but is not below zero.' end,
                 account_id, organization_id, customer_id) as problem
     from (select distinct c.organization_id, c.customer_id, c.account_id, true as is_negative
             from accounts a join cards c using (organization_id, account_id) where a.posted_minor < 0) a
     full join (select *, true as is_noted from customer_debts) d
          using (organization_id, customer_id, account_id)
    where a.is_negative is null or d.is_noted is null order by account_id limit 1`,
];
