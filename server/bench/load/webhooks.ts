import type { Bench } from "../bench.ts";

/** Has the events of the listening organization sent to the receiver while some work is done. */
export async function whileListening<T>(bench: Bench, work: () => Promise<T>): Promise<T> {
  const { client } = await bench.listeningTenant();
  const { url } = await bench.receiver();
  const { data } = await client.call({
    method: "POST",
    path: "/webhook-endpoints",
    body: JSON.stringify({ url, eventTypes: [] }),
  });
  try {
    return await work();
  } finally {
    // What was not delivered by now never will be, and disturbs no other sample.
    const path = `/webhook-endpoints/${data.webhookEndpointId}`;
    await client.call({ method: "DELETE", path });
  }
}

/** What a purchase tells, as it is stored. */
export interface ToldPurchase {
  opensTransactionId: string;
  data: object;
}

export async function tellPurchase(bench: Bench): Promise<ToldPurchase> {
  const { client, cards, organizationId } = await bench.listeningTenant();
  const body = JSON.stringify({ cardId: cards[0]?.cardId, amount: 1.25 });
  await client.call({ method: "POST", path: "/simulator/authorizations", body });
  const pool = await bench.pool();
  const { rows } = await pool.query<ToldPurchase>(
    `select begins as "opensTransactionId", data from events
      where organization_id = $1 and event_type = 'transaction.authorized'
      order by event_id desc limit 1`,
    [organizationId],
  );
  if (rows[0] === undefined) throw new Error("A purchase told nothing.");
  return rows[0];
}
