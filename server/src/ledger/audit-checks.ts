/** Every posting seen from both of its accounts. */
export const LINES = `
  select organization_id, posting_id, entry_id, debit_account_id as account_id, currency,
         -amount_minor as amount_minor, debit_balance_minor as balance_minor from postings
  union all
  select organization_id, posting_id, entry_id, credit_account_id, currency,
         amount_minor, credit_balance_minor from postings`;

const journal = [
  // The kind says which account outside the organization the money came from or went to; most have none.
  `select format('Posting %s of entry %s (%s) does not fit its accounts.', posting_id, entry_id, p.organization_id) as problem
     from postings p
     left join accounts d on d.organization_id = p.organization_id and d.account_id = p.debit_account_id
     left join accounts c on c.organization_id = p.organization_id and c.account_id = p.credit_account_id
    where d.currency is distinct from p.currency or c.currency is distinct from p.currency
       or (d.posted_minor is null) <> (p.debit_balance_minor is null)
       or (c.posted_minor is null) <> (p.credit_balance_minor is null)
       or concat(case when d.posted_minor is null then d.kind end, case when c.posted_minor is null then c.kind end)
          <> case when p.kind in ('Deposit', 'Adjustment') then 'Deposits'
                  when p.kind in ('Settlement', 'Refund') then 'Clearing'
                  when p.kind = 'CrossBorderCharge' then 'Fees' else '' end
    order by posting_id limit 1`,
  `select format('Entry %s (%s) left account %s at %s, but its postings up to then add up to %s.',
                 entry_id, organization_id, account_id, balance_minor, running) as problem
     from (select *, sum(amount_minor) over (partition by organization_id, account_id order by posting_id) as running
             from (${LINES}) l) l
    where balance_minor is not null and balance_minor <> running order by posting_id limit 1`,
];

const accounts = [
  `select format('Account %s (%s) says %s, but its postings add up to %s.',
                 a.account_id, a.organization_id, a.posted_minor, coalesce(sum(l.amount_minor), 0)) as problem
     from accounts a left join (${LINES}) l using (organization_id, account_id)
    where a.posted_minor is not null
    group by a.organization_id, a.account_id, a.posted_minor
   having a.posted_minor <> coalesce(sum(l.amount_minor), 0) order by a.account_id limit 1`,
  `select case when coalesce(a.held_minor, 0) > coalesce(t.held_minor, 0)
               then format('Account %s (%s) holds %s without an open authorization for more than %s.',
                           account_id, organization_id, a.held_minor, coalesce(t.held_minor, 0))
               else format('Account %s (%s) holds %s, but its open authorizations add up to %s.',
                           account_id, organization_id, coalesce(a.held_minor, 0), t.held_minor) end as problem
     from accounts a
     full join (select organization_id, account_id, sum(held_minor) as held_minor from transactions
                 where held_minor > 0 group by organization_id, account_id) t
          using (organization_id, account_id)
    where coalesce(a.held_minor, 0) <> coalesce(t.held_minor, 0) order by account_id limit 1`,
];

const payments = [
  `select format('Transaction %s (%s) says that account %s paid %s and got %s back, but its postings say %s and %s.',
                 transaction_id, organization_id, account_id, coalesce(t.settled_minor, 0),
                 coalesce(t.refunded_minor, 0), coalesce(p.settled, 0), coalesce(p.refunded, 0)) as problem
     from transactions t
     full join (select organization_id, transaction_id,
                       case kind when 'Settlement' then debit_account_id else credit_account_id end as account_id,
                       coalesce(sum(amount_minor) filter (where kind = 'Settlement'), 0) as settled,
                       coalesce(sum(amount_minor) filter (where kind = 'Refund'), 0) as refunded
                  from postings where kind in ('Settlement', 'Refund') group by 1, 2, 3) p
          using (organization_id, transaction_id, account_id)
    where coalesce(t.settled_minor, 0) <> coalesce(p.settled, 0)
       or coalesce(t.refunded_minor, 0) <> coalesce(p.refunded, 0) order by transaction_id limit 1`,
  // Both sides of a transfer are one posting, which has the name of the paying side.
  `select format('Transaction %s (%s) moved %s, but its postings say %s.', coalesce(t.transaction_id, p.entry_id),
                 coalesce(t.organization_id, p.organization_id), coalesce(t.amount_minor, 0),
                 coalesce(p.amount_minor, 0)) as problem
     from (select organization_id, transaction_id, coalesce(transfer_id, transaction_id) as moved_by, type,
                  amount_minor from transactions where stage = 'Completed') t
     full join (select organization_id, transaction_id, kind, min(entry_id) as entry_id,
                       sum(amount_minor) as amount_minor
                  from postings where kind not in ('Deposit', 'Adjustment', 'Settlement', 'Refund')
                 group by organization_id, transaction_id, kind) p
          on p.organization_id = t.organization_id and p.transaction_id = t.moved_by and p.kind = t.type
    where coalesce(t.amount_minor, 0) <> coalesce(p.amount_minor, 0) order by 1 limit 1`,
  `select format('Transaction %s (%s) does not fit its card %s.', t.transaction_id, t.organization_id, t.card_id) as problem
     from transactions t
     left join cards c using (organization_id, card_id)
     left join accounts a on a.organization_id = t.organization_id and a.account_id = t.account_id
    where c.customer_id is distinct from t.customer_id or c.currency is distinct from t.billing_currency
       or (c.account_id <> t.account_id and a.kind is distinct from 'Wallet')
    order by t.transaction_id limit 1`,
  // An advice may hold less than is open of it, but nothing holds more. Earlier versions recorded only what it held as
  // reversed; that it was an advice shows in a check that failed.
  `select format('Transaction %s (%s) of %s, billed %s, is at stage %s, but %s is held, %s settled, %s reversed and %s refunded.',
                 transaction_id, organization_id, amount_minor, billing_amount_minor, stage, held_minor,
                 settled_minor, reversed_minor, refunded_minor) as problem
     from transactions
    where approved = (stage = 'Declined')
       or (approved and currency = billing_currency and amount_minor <> billing_amount_minor)
       or held_minor > greatest(billing_amount_minor - settled_minor - reversed_minor, 0)
       or case stage when 'Authorization' then settled_minor + refunded_minor > 0
                     when 'Expired' then held_minor + settled_minor + refunded_minor > 0
                     when 'Reversal' then held_minor + settled_minor + refunded_minor > 0
                                          or reversed_minor > billing_amount_minor
                                          or (reversed_minor < billing_amount_minor
                                            and decision ->> 'results' like '%F%' is not true)
                     when 'Settlement' then false
                     when 'Refund' then false
                     else held_minor + settled_minor + reversed_minor + refunded_minor > 0 end
    order by transaction_id limit 1`,
];

/**
 * The first of what is wrong, all of it found first: with a limit alone the planner expects one soon, takes what begins
 * quickly, and looks through all accounts anew for each card where nothing is wrong.
 */
const firstOf = (wrong: string): string =>
  `with wrong as materialized (${wrong}) select problem from wrong order by card_id limit 1`;

/** What accounts and their annexes keep of cards, each read once. */
function keptOfCards(table: "counters" | "terms"): string {
  return `
    select organization_id, account_id, annex_id, kept ->> 'card' as card_id, kept::jsonb - 'card' as kept
      from (select organization_id, account_id, null as annex_id, kept from accounts where kind = 'Card'
            union all select organization_id, account_id, annex_id, kept from account_annexes) keeper (
              organization_id, account_id, annex_id, all_kept)
     cross join json_array_elements(coalesce(all_kept -> '${table}', '[]')) kept`;
}

/** Where a card is not kept in its account or, if it came to share that, in an annex of its own. */
const IS_MISPLACED = `(k.account_id is distinct from c.account_id
  or k.annex_id is distinct from case when c.is_guest then c.card_id end)`;

const cards = [
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
const debts = [
  `select format(case when a.is_negative then 'Account %s (%s) is below zero, but is not noted as a debt of %s.'
                      else 'Account %s (%s) is noted as a debt of %s, but is not below zero.' end,
                 account_id, organization_id, customer_id) as problem
     from (select distinct c.organization_id, c.customer_id, c.account_id, true as is_negative
             from accounts a join cards c using (organization_id, account_id) where a.posted_minor < 0) a
     full join (select *, true as is_noted from customer_debts) d
          using (organization_id, customer_id, account_id)
    where a.is_negative is null or d.is_noted is null order by account_id limit 1`,
];

const events = [
  `select format('The events of card %s (%s) have a gap: %s events up to sequence %s.',
                 card_id, organization_id, count(*), max(sequence)) as problem
     from events where card_id is not null group by organization_id, card_id
   having count(*) <> max(sequence) or min(sequence) <> 1 or count(distinct sequence) <> count(*)
    order by card_id limit 1`,
  `select format('Event %s (%s) is about card %s, which does not exist.', e.event_id, e.organization_id, e.card_id) as problem
     from events e
    where e.card_id is not null and not exists (
      select from cards c where c.organization_id = e.organization_id and c.card_id = e.card_id)
    order by e.event_id limit 1`,
  `select format('Event %s (%s) tells of payment %s, which does not exist.', e.event_id, e.organization_id, e.begins) as problem
     from events e
    where e.begins is not null and not exists (
      select from transactions t where t.organization_id = e.organization_id and t.transaction_id = e.begins)
    order by e.event_id limit 1`,
  firstOf(
    `select card_id, format('Card %s (%s) counts %s events, but there are %s.', card_id, organization_id,
                            coalesce(k.kept ->> 'events', 'no'), coalesce(e.events, 0)) as problem
       from cards c
       left join (${keptOfCards("counters")}) k using (organization_id, card_id)
       left join (select organization_id, card_id, count(*) as events from events
                   where card_id is not null group by organization_id, card_id) e
            using (organization_id, card_id)
      where (k.kept ->> 'events')::bigint is distinct from coalesce(e.events, 0)`,
  ),
  `select format('Organization %s has %s events, but %s are in its feed.', organization_id,
                 coalesce(e.events, 0), coalesce(l.events, 0)) as problem
     from (select organization_id, count(*) as events from events group by organization_id) e
     full join (select organization_id, sum(events) as events from event_log group by organization_id) l
          using (organization_id)
    where coalesce(e.events, 0) <> coalesce(l.events, 0) order by organization_id limit 1`,
];

const charges = [
  `select format('Charge %s (%s) does not fit its card %s or its account %s.',
                 x.charge_id, x.organization_id, x.card_id, x.account_id) as problem
     from cross_border_charges x
     left join cards c using (organization_id, card_id)
     left join accounts a on a.organization_id = x.organization_id and a.account_id = x.account_id
    where c.currency is distinct from x.currency or a.currency is distinct from x.currency
    order by x.charge_id limit 1`,
  // The entry that collects a charge is named after it.
  `select format('Charge %s (%s) of %s is %s, but %s was collected for it.', x.charge_id,
                 x.organization_id, x.amount_minor, x.status, coalesce(p.amount_minor, 0)) as problem
     from cross_border_charges x
     left join (select organization_id, entry_id, debit_account_id, sum(amount_minor) as amount_minor
                  from postings where kind = 'CrossBorderCharge'
                 group by organization_id, entry_id, debit_account_id) p
          on p.organization_id = x.organization_id and p.entry_id = x.charge_id
             and p.debit_account_id = x.account_id
    where coalesce(p.amount_minor, 0) <> case x.status when 'Collected' then x.amount_minor else 0 end
    order by x.charge_id limit 1`,
  `select format('Posting %s of entry %s (%s) collects a charge that does not exist.',
                 p.posting_id, p.entry_id, p.organization_id) as problem
     from postings p
    where p.kind = 'CrossBorderCharge' and not exists (
      select from cross_border_charges x
       where x.organization_id = p.organization_id and x.charge_id = p.entry_id)
    order by p.posting_id limit 1`,
];

const adjustments = [
  `select format('Adjustment %s (%s) of %s is %s in the journal.', j.reference, j.organization_id,
                 j.amount_minor, coalesce(sum(l.amount_minor), 0)) as problem
     from wallet_adjustments j
     left join (${LINES}) l
          on l.organization_id = j.organization_id and l.account_id = j.wallet_id and l.entry_id = j.entry_id
    group by j.organization_id, j.reference, j.amount_minor
   having j.amount_minor <> coalesce(sum(l.amount_minor), 0) order by j.reference limit 1`,
  `select format('Posting %s of entry %s (%s) is an adjustment that nobody made.',
                 p.posting_id, p.entry_id, p.organization_id) as problem
     from postings p
    where p.kind = 'Adjustment' and not exists (
      select from wallet_adjustments j
       where j.organization_id = p.organization_id and j.entry_id = p.entry_id)
    order by p.posting_id limit 1`,
];

/** Each query names the first thing that does not hold, and gives no row when all does. */
export const CHECKS: readonly string[] = [
  ...journal,
  ...accounts,
  ...payments,
  ...cards,
  ...debts,
  ...events,
  ...charges,
  ...adjustments,
];
