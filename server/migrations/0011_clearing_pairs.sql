-- A presentment is told twice, by a message and by a line of a clearing file, in either order, and moves money
-- once. Where a payment has several, which of them are told is known by their amounts.
alter table network_messages
  add column amount_minor bigint,
  -- It told what a file had posted before it, and moved nothing.
  add column confirms boolean not null default false;

alter table clearing_lines add column amount_minor bigint;
