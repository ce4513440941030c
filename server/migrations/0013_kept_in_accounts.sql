-- What a purchase counts of its card, and what it must know of it, is kept in the account that it locks, reads and
-- writes anyway. Both were rows of their own. A card's own row stays what it is, and its terms are written with it.
alter table accounts add column kept json not null default '{}';

-- A card that came to share another's account has a row of its own for it, so that the account does not grow with them.
create table account_annexes (
  organization_id text collate "C" not null,
  annex_id text collate "C" not null,
  account_id text collate "C" not null,
  kept json not null,
  primary key (organization_id, annex_id)
) with (fillfactor = 50);
create index account_annexes_of_account on account_annexes (organization_id, account_id);

alter table cards add column is_guest boolean not null default false;
update cards c set is_guest = true
 where exists (
   select from cards first
    where first.organization_id = c.organization_id and first.account_id = c.account_id and first.card_id < c.card_id);

with kept_cards as materialized (
  select c.organization_id, c.account_id, c.card_id, c.is_guest,
         json_build_object(
           'counters', json_build_array(json_build_object(
             'card', c.card_id, 'events', n.event_sequence, 'swipes', n.swipes_used, 'day', n.spent_day,
             -- Beyond this, numbers in JSON are not exact for everybody.
             'spent', case when n.spent_minor <= 9007199254740991 then to_json(n.spent_minor)
                           else to_json(n.spent_minor::text) end,
             'mids', json_build_array(n.white_listed_mids, (
               select count(*) from card_merchants m
                where m.organization_id = c.organization_id and m.card_id = c.card_id and m.list = 'Black')),
             'early', coalesce((
               select max(floor(extract(epoch from created_at) / 86400)::int) from unapplied_messages u
                where u.organization_id = c.organization_id and u.card_id = c.card_id
                  and u.original_key is not null), 0))),
           'terms', json_build_array(json_build_object(
             'card', c.card_id, 'status', c.status, 'expires', json_build_array(c.expiry_year, c.expiry_month),
             'contactless', c.contactless_payment, 'daily', c.daily_limit_minor,
             'each', c.transaction_limit_minor, 'mccs', json_build_array(c.white_listed_mccs, c.black_listed_mccs),
             'swipes', c.swipe_count))) as kept
    from cards c join card_counters n using (organization_id, card_id)),
own as (
  update accounts a set kept = k.kept from kept_cards k
   where a.organization_id = k.organization_id and a.account_id = k.account_id and not k.is_guest)
insert into account_annexes (organization_id, annex_id, account_id, kept)
select organization_id, card_id, account_id, kept from kept_cards where is_guest;

update accounts a set kept = (a.kept::jsonb || '{"annexes": true}')::json
 where exists (select from account_annexes x
                where x.organization_id = a.organization_id and x.account_id = a.account_id);

drop table card_counters;
