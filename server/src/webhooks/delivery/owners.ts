/**
 * A recursive query `owners`: the endpoints that have deliveries, or deliveries of which `which` is true. They are found by
 * jumping from one to the next, so that the number of deliveries does not matter.
 */
const ownersWhere = (which: string): string => `
  owners as (
    (select organization_id, webhook_endpoint_id from webhook_deliveries where ${which}
      order by organization_id, webhook_endpoint_id limit 1)
    union all
    select n.* from owners o cross join lateral (
      select organization_id, webhook_endpoint_id from webhook_deliveries
       where ${which} and (organization_id, webhook_endpoint_id) > (o.organization_id, o.webhook_endpoint_id)
       order by organization_id, webhook_endpoint_id limit 1) n)`;

/** Of any deliveries, waiting or failed for good. */
export const OWNERS = ownersWhere("true");

/** Of deliveries that wait for an attempt. */
export const WAITING_OWNERS = ownersWhere("due_at is not null");
