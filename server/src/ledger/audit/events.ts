import { firstOf } from "./first-of.ts";
import { keptOfCards } from "./kept.ts";

export const events = [
  `select format('The events of card %s (%s) have a gap: %s events up to sequence %s.',
                 card_id, organization_id, count(*), max(sequence)) as problem
     from events where card_id is not null group by organization_id, card_id
   having count(*) <> max(sequence) or min(sequence) <> 1 or count(distinct sequence) <> count(*)
    order by card_id limit 1`,
  `select format('Event %s (%s) is about card %s, which does not exist.', e.event_id, e.organization_id, e.card_id) as problem
     from events e
    where e.card_id is not null and not exists (
      select from cards c where c.organization_id = e.organization_id and c.card_id = e.card_id)
    order by e.event_id limit 1`,
  `select format('Event %s (%s) tells of payment %s, which does not exist.', e.event_id, e.organization_id, e.begins) as problem
     from events e
    where e.begins is not null and not exists (
      select from transactions t where t.organization_id = e.organization_id and t.transaction_id = e.begins)
    order by e.event_id limit 1`,
  firstOf(
    `select card_id, format('Card %s (%s) counts %s events, but there are %s.', card_id, organization_id,
                            coalesce(k.kept ->> 'events', 'no'), coalesce(e.events, 0)) as problem
       from cards c
       left join (${keptOfCards("counters")}) k using (organization_id, card_id)
       left join (select organization_id, card_id, count(*) as events from events
                   where card_id is not null group by organization_id, card_id) e
            using (organization_id, card_id)
      where (k.kept ->> 'events')::bigint is distinct from coalesce(e.events, 0)`,
  ),
  `select format('Organization %s has %s events, but %s are in its feed.', organization_id,
                 coalesce(e.events, 0), coalesce(l.events, 0)) as problem
     from (select organization_id, count(*) as events from events group by organization_id) e
     full join (select organization_id, sum(events) as events from event_log group by organization_id) l
          using (organization_id)
    where coalesce(e.events, 0) <> coalesce(l.events, 0) order by organization_id limit 1`,
  `select case when e.event_id is null then format('The feed of organization %s names event %s, which does not exist.', organization_id, event_id)
               else format('Event %s (%s) is not in the feed.', event_id, organization_id) end as problem
     from events e
     full join (select organization_id, x.event_id
                  from event_log cross join lateral unnest(string_to_array(event_ids, ' ')) as x(event_id)) l
          using (organization_id, event_id)
    where e.event_type is null or l is null order by event_id limit 1`,
];
