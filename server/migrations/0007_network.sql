-- Payments that came by ISO 8583, by what their later messages call them. Their network reference is
-- DE 32, DE 37, DE 11 and DE 7 in a row, of which only the first varies in length. Others are left out.
-- One text rather than three columns: while the table is small, a plan would take any index that begins
-- with the organization, and stay with it.
create index transactions_by_network_trace on transactions
  ((organization_id || ' ' || card_id || ' T' || right(network_reference, 16)) collate "C")
  where network_reference ~ '^[0-9]{1,11}[0-9A-Za-z ]{12}[0-9]{16}$';
create index transactions_by_retrieval on transactions
  ((organization_id || ' ' || card_id || ' R' || left(right(network_reference, 28), 12)) collate "C")
  where network_reference ~ '^[0-9]{1,11}[0-9A-Za-z ]{12}[0-9]{16}$';

-- Messages about payments that changed none, so that a repeated one is answered as the first was: those
-- that were refused, and reversals that came before what they reverse. An authorization whose reversal
-- is here already comes too late. Reversals are written by whoever holds the lock of the card's account.
create table unapplied_messages (
  organization_id text collate "C" not null,
  network_reference text collate "C" not null,
  request_type text not null,
  card_id text collate "C" not null,
  response_code text not null,
  -- Of a reversal: what it reverses, as far as it says.
  original_key text collate "C",
  created_at timestamptz not null,
  primary key (organization_id, network_reference, request_type)
);
create index unapplied_messages_by_original on unapplied_messages (organization_id, card_id, original_key)
  where original_key is not null;
create index unapplied_messages_by_age on unapplied_messages (created_at);

-- Lines of clearing files, once each: a file that is imported again is told what came of it before. They
-- also tell which payments that were settled by messages a file has confirmed.
create table clearing_lines (
  organization_id text collate "C" not null,
  -- The digest of the file and the number of the line; also the network reference of what it posted.
  line_reference text collate "C" not null,
  kind text not null check (kind in ('Settlement', 'Refund')),
  transaction_id text collate "C" not null,
  outcome text not null check (outcome in ('Matched', 'ForcePosted', 'AmountDiffers')),
  -- Whether it moved money, or confirmed what had moved.
  is_posted boolean not null,
  created_at timestamptz not null,
  primary key (organization_id, line_reference)
);
create index clearing_lines_of_transaction on clearing_lines (organization_id, transaction_id, kind);
