export const payments = [
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
       or least(held_minor, settled_minor, reversed_minor, refunded_minor) < 0
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
  `select format('Transaction %s (%s) is at stage %s, but was answered %s.', transaction_id, organization_id, stage,
                 response_code) as problem
     from transactions where approved <> (response_code = '000') order by transaction_id limit 1`,
  `select format('Transaction %s (%s) in %s is billed in %s at the rate %s.', transaction_id, organization_id, currency,
                 billing_currency, coalesce(billing_rate, 'none')) as problem
     from transactions
    where approved and billing_amount_minor > 0 and (billing_rate is null) <> (currency = billing_currency)
    order by transaction_id limit 1`,
  `select format('Transfer %s (%s) has %s records for its two accounts.', p.transaction_id, p.organization_id,
                 count(t.transaction_id)) as problem
     from postings p
     left join transactions t on t.organization_id = p.organization_id and t.transfer_id = p.transaction_id
          and t.type = 'Transfer' and t.account_id in (p.debit_account_id, p.credit_account_id)
    where p.kind = 'Transfer'
    group by p.organization_id, p.posting_id, p.transaction_id
   having count(t.transaction_id) <> 2 or count(distinct t.account_id) <> 2 order by p.posting_id limit 1`,
  `select format('Transaction %s (%s) says that it moved money of account %s, but its posting is about others.',
                 t.transaction_id, t.organization_id, t.account_id) as problem
     from transactions t
     join postings p on p.organization_id = t.organization_id
          and p.transaction_id = coalesce(t.transfer_id, t.transaction_id) and p.kind = t.type
    where t.stage = 'Completed' and t.account_id not in (p.debit_account_id, p.credit_account_id)
    order by t.transaction_id limit 1`,
];
