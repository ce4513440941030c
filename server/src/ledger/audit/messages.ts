/** What lets a message count once leads to what it did. */
export const messages = [
  `select format('Message %s (%s), %s, is about transaction %s, which does not exist.', m.network_reference,
                 m.organization_id, m.request_type, m.transaction_id) as problem
     from network_messages m left join transactions t using (organization_id, transaction_id)
    where t.transaction_id is null order by m.network_reference limit 1`,
  `select format('Line %s (%s) of a clearing file is about transaction %s, which does not exist.', l.line_reference,
                 l.organization_id, l.transaction_id) as problem
     from clearing_lines l left join transactions t using (organization_id, transaction_id)
    where t.transaction_id is null order by l.line_reference limit 1`,
];
