-- Play money and real money never share a database. Production refused one that a sandbox had used, but one
-- start without FLORIN_ENV made a sandbox of production's: whoever comes first is written down now. Of a
-- database that was used before, only a sandbox is known for certain.
alter table shared_state add column environment text collate "C";

update shared_state set environment = 'sandbox'
 where clock_offset_ms > 0 or exists (select from organizations where sandbox_seed_sealed is not null);
