import { afterAll, beforeAll, expect, test } from "vitest";
import { createPool, type Pool } from "../src/db/pool.ts";
import { firstId } from "../src/foundation/ids.ts";
import { expectRefusal } from "./harness/answers.ts";
import { type Browser, logInOwner, signUp } from "./harness/dashboard.ts";
import { eventually } from "./harness/eventually.ts";
import { Receiver } from "./harness/receiver.ts";
import { startTestService, type TestService } from "./harness/service.ts";

let service: TestService;
let pool: Pool;
let receiver: Receiver;
let owner: Browser;
let endpointId: string;
beforeAll(async () => {
  service = await startTestService();
  pool = createPool(service.databaseUrl, 1);
  receiver = await Receiver.open();
  owner = (await logInOwner(service.sandbox)).browser;
  endpointId = await newEndpoint(receiver.url);
});
afterAll(async () => {
  await receiver.goDown();
  await pool.end();
  await service.stop();
});

async function newEndpoint(url: string): Promise<string> {
  const answer = await service.client.post("/webhook-endpoints", { url });
  return answer.body.data.webhookEndpointId;
}

const deposit = () =>
  service.client.post("/simulator/wallets/deposits", { currency: "USD", amount: 1 });

const pathOf = (id: string, query = "") => `/dashboard/webhook-endpoints/${id}/deliveries${query}`;

// biome-ignore lint/suspicious/noExplicitAny: answers are of every shape.
async function deliveries(query = "", id = endpointId): Promise<any[]> {
  return (await owner.get(pathOf(id, query))).body.data;
}

/** As many attempts at an event as are looked at for one page, all of them to the first endpoint. */
async function manyAttempts(eventId: string): Promise<void> {
  await pool.query(
    `insert into webhook_attempts (organization_id, event_id, webhook_endpoint_id, at, http_status, duration_ms)
     select organization_id, $2, webhook_endpoint_id, now(), 200, 1
       from webhook_endpoints cross join generate_series(1, 20000) where webhook_endpoint_id = $1`,
    [endpointId, eventId],
  );
}

async function everyPage(id: string, query: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor = "";
  do {
    const joined = [query.slice(1), cursor && `cursor=${cursor}`].filter(Boolean).join("&");
    const { body } = await owner.get(pathOf(id, `?${joined}`));
    ids.push(...body.data.map(({ eventId }: { eventId: string }) => eventId));
    cursor = body.pagination.nextCursor ?? "";
  } while (cursor !== "");
  return ids;
}

test("tells what was sent, what became of it, and when it is tried again", async () => {
  await deposit();
  const [arrived] = await eventually("the first is delivered", async () => {
    const rows = await deliveries();
    return rows[0]?.status === "Delivered" ? rows : undefined;
  });
  expect(arrived).toMatchObject({
    eventType: "wallet.deposited",
    attempts: 1,
    nextAttemptAt: null,
    lastAttempt: { httpStatus: 200, error: null },
  });

  receiver.answerWith(503);
  await deposit();
  const [refused, before] = await eventually("the second is refused", async () => {
    const rows = await deliveries();
    return rows[0]?.lastAttempt?.httpStatus === 503 ? rows : undefined;
  });
  expect(refused).toMatchObject({ status: "Pending", lastAttempt: { httpStatus: 503 } });
  expect(Date.parse(refused.nextAttemptAt)).not.toBeNaN();
  expect(before.eventId).toBe(arrived.eventId);

  await pool.query("update webhook_deliveries set due_at = null where event_id = $1", [
    refused.eventId,
  ]);
  const idsOf = async (status: string) =>
    (await deliveries(`?status=${status}`)).map(({ eventId }) => eventId);
  expect(await idsOf("Failed")).toEqual([refused.eventId]);
  expect(await idsOf("Delivered")).toEqual([arrived.eventId]);
  expect(await idsOf("Pending")).toEqual([]);

  const first = await owner.get(pathOf(endpointId, "?limit=1"));
  const { nextCursor } = first.body.pagination;
  expect(first.body.data).toHaveLength(1);
  expect(await deliveries(`?limit=1&cursor=${nextCursor}`)).toMatchObject([
    { eventId: arrived.eventId },
  ]);
});

test("of an endpoint that gets little, pages may be empty and still lead on", async () => {
  receiver.answerWith(200);
  const quietId = await newEndpoint(receiver.url);
  await deposit();
  const [theirs] = await eventually("both endpoints have it", async () => {
    const rows = await deliveries("", quietId);
    return rows[0]?.status === "Delivered" ? rows : undefined;
  });
  await manyAttempts(firstId("evt", Date.now() + 60_000));
  const first = await owner.get(pathOf(quietId));
  expect(first.body.data).toEqual([]);
  const { nextCursor } = first.body.pagination;
  expect(await deliveries(`?cursor=${nextCursor}`, quietId)).toMatchObject([
    { eventId: theirs.eventId },
  ]);
});

test("an event with more attempts than are looked at is not lost to one endpoint", async () => {
  const quietId = await newEndpoint(receiver.url);
  await deposit();
  const [eventId = ""] = await eventually("it has arrived", async () => {
    const ids = await everyPage(quietId, "?status=Delivered");
    return ids.length > 0 ? ids : undefined;
  });
  await manyAttempts(eventId);
  for (const query of ["", "?status=Delivered"]) {
    expect(await everyPage(quietId, query)).toEqual([eventId]);
  }
});

test("another organization's endpoint is not there, nor one with a bad name", async () => {
  const stranger = await signUp(service.sandbox.dashboardUrl, "owner@strangers.example");
  expectRefusal(await stranger.browser.get(pathOf(endpointId)), "404/157");
  expectRefusal(await owner.get(pathOf("whe_nothing")), "404/157");
});

test.each(["status=Lost", "limit=0", "cursor=abc", "page=2"])("refuses ?%s", async (query) => {
  expectRefusal(await owner.get(pathOf(endpointId, `?${query}`)), "400/131");
});
