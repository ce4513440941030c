export const charges = [
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
  `select format('Charge %s (%s) is for payment %s, which is none of card %s.', x.charge_id, x.organization_id,
                 x.transaction_id, x.card_id) as problem
     from cross_border_charges x join transactions t using (organization_id, transaction_id)
    where t.card_id <> x.card_id order by x.charge_id limit 1`,
  `select format('Event %s (%s) tells of charge %s, which does not exist.', e.event_id, e.organization_id,
                 e.data ->> 'chargeId') as problem
     from events e
    where e.event_type = 'charge.cross_border.pending' and not exists (
      select from cross_border_charges x
       where x.organization_id = e.organization_id and x.charge_id = e.data ->> 'chargeId')
    order by e.event_id limit 1`,
];
