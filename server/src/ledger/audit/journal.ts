/** Every posting seen from both of its accounts. */
export const LINES = `
  select organization_id, posting_id, entry_id, debit_account_id as account_id, currency,
         -amount_minor as amount_minor, debit_balance_minor as balance_minor from postings
  union all
  select organization_id, posting_id, entry_id, credit_account_id, currency,
         amount_minor, credit_balance_minor from postings`;

export const journal = [
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

export const accounts = [
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

export const adjustments = [
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
