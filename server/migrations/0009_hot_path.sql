-- An event that tells of a payment that just began keeps only what the payment itself does not: the rest is
-- read from there. A purchase would otherwise be written twice.
alter table events add column begins text collate "C";

-- A plan that was made for an empty table finds every index of it equally good, and would look through all
-- payments of an organization for one. This one leads with what is rare; see the query that uses it.
create unique index transactions_of_network_reference
  on transactions (network_reference, type, organization_id) where network_reference is not null;
drop index transactions_by_network_reference;

-- Whether a payment came by ISO 8583 was asked of every payment with a regular expression, twice. That its
-- reference is long and begins with a digit tells nearly as much, and the look-ups ask for the rest.
drop index transactions_by_network_trace;
create index transactions_by_network_trace on transactions
  ((organization_id || ' ' || card_id || ' T' || right(network_reference, 16)) collate "C")
  where network_reference collate "C" < ':' and length(network_reference) > 28;
drop index transactions_by_retrieval;
create index transactions_by_retrieval on transactions
  ((organization_id || ' ' || card_id || ' R' || left(right(network_reference, 28), 12)) collate "C")
  where network_reference collate "C" < ':' and length(network_reference) > 28;
