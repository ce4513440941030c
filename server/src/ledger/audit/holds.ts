/** What is held is what was authorized and is still open, and is let go some day. */
export const holds = [
  // An advice holds as much as there was; that it was one shows in a check that failed.
  `select format('Transaction %s (%s) authorized %s, of which %s is reversed, but %s is held.', transaction_id,
                 organization_id, billing_amount_minor, reversed_minor, held_minor) as problem
     from transactions
    where approved and stage = 'Authorization' and held_minor <> billing_amount_minor - reversed_minor
      and decision ->> 'results' like '%F%' is not true
    order by transaction_id limit 1`,
  `select format('Transaction %s (%s) holds %s, and never expires.', transaction_id, organization_id, held_minor) as problem
     from transactions where held_minor > 0 and expires_at is null order by transaction_id limit 1`,
  // What a sweep has passed it does not come to again.
  `select format('Transaction %s (%s) holds %s, but holds of %s days are let go up to %s.', transaction_id,
                 organization_id, held_minor, hold_days, swept_to) as problem
     from transactions t join hold_sweeps s using (organization_id)
    where t.held_minor > 0 and t.transaction_id < s.swept_to
      and t.expires_at - t.created_at = make_interval(secs => s.hold_days * 86400)
    order by transaction_id limit 1`,
];
