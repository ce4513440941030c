import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Core } from "../src/core.ts";
import { expectRefusal, fieldsOf, verdict } from "./harness/answers.ts";
import { type ApiClient, type CallOptions, newReference } from "./harness/api-client.ts";
import { eventually, until } from "./harness/eventually.ts";
import { bvn, passport, untilStatus, verifyIndividual } from "./harness/kyc.ts";
import { foundOrganization, openOperator } from "./harness/operator.ts";
import { sendSigned } from "./harness/raw-http.ts";
import { Receiver } from "./harness/receiver.ts";
import { startTestService, type TestService } from "./harness/service.ts";

const DEPOSITS = "/simulator/wallets/deposits";
const NO_ANSWER = "closed without an answer";

let service: TestService;
let operator: Core;
let client: ApiClient;
beforeAll(async () => {
  service = await startTestService();
  operator = await openOperator(service);
});
afterAll(async () => {
  await operator.close();
  await service.stop();
});
// Each test has an organization of its own, with nobody else's faults.
beforeEach(async () => {
  ({ client } = await foundOrganization(operator, service));
});

async function inject(fault: object, by = client): Promise<object[]> {
  const answer = await by.post("/simulator/faults", fault);
  expect(verdict(answer)).toBe("200/000");
  return answer.body.data.faults;
}

async function deposit(amount = 1): Promise<void> {
  const answer = await client.post(DEPOSITS, { currency: "USD", amount });
  expect(verdict(answer)).toBe("200/000");
}

async function balance(): Promise<number | undefined> {
  const { body } = await client.get("/wallets");
  return body.data[0]?.balance;
}

async function advance(seconds: number): Promise<void> {
  const answer = await client.post("/simulator/clock/advance", { seconds });
  expect(verdict(answer)).toBe("200/000");
  client.forgetToken();
}

describe("what is set", () => {
  test("is told, kind by kind, until None ends it", async () => {
    expect(await inject({ fault: "KycDown", count: 2 })).toEqual([{ fault: "KycDown", count: 2 }]);
    expect(await inject({ fault: "CutConnection" })).toEqual([
      { fault: "CutConnection", count: 1 },
      { fault: "KycDown", count: 2 },
    ]);
    expect(await inject({ fault: "DelayDeliveries", count: 3, seconds: 60 })).toContainEqual({
      fault: "DelayDeliveries",
      count: 3,
      seconds: 60,
    });
    expect(await inject({ fault: "KycDown", count: 1 })).toContainEqual({
      fault: "KycDown",
      count: 1,
    });
    expect(await inject({ fault: "None" })).toEqual([]);
    await deposit();
  });

  test("is set once per Reference", async () => {
    const options = { reference: newReference() };
    const order = { fault: "DropDeliveries", count: 1 };
    expect(verdict(await client.post("/simulator/faults", order, options))).toBe("200/000");
    expect(await inject({ fault: "None" })).toEqual([]);
    expectRefusal(await client.post("/simulator/faults", order, options), "400/139");
    expect(await inject({ fault: "KycDown", count: 1 })).toEqual([{ fault: "KycDown", count: 1 }]);
  });

  test("is nobody else's", async () => {
    const { client: other } = await foundOrganization(operator, service);
    await inject({ fault: "CutConnection", count: 1000 }, other);
    await inject({ fault: "KycDown", count: 1000 }, other);
    await deposit();
    expect(verdict(await verifyIndividual(client, bvn()))).toBe("200/000");
    await expect(sendSigned(other, "GET", "/wallets")).rejects.toThrow(NO_ANSWER);
  });

  test.each([
    [{}, "fault"],
    [{ fault: "Earthquake", count: 1 }, "fault"],
    [{ fault: "DropDeliveries" }, "count"],
    [{ fault: "DropDeliveries", count: 0 }, "count"],
    [{ fault: "DropDeliveries", count: 1001 }, "count"],
    [{ fault: "DropDeliveries", count: 1.5 }, "count"],
    [{ fault: "DropDeliveries", count: 1, seconds: 1 }, "seconds"],
    [{ fault: "DelayDeliveries", count: 1 }, "seconds"],
    [{ fault: "DelayDeliveries", count: 1, seconds: 0 }, "seconds"],
    [{ fault: "DelayDeliveries", count: 1, seconds: 3601 }, "seconds"],
    [{ fault: "CutConnection", count: 0 }, "count"],
    [{ fault: "None", count: 1 }, "count"],
  ])("cannot be %j", async (order, field) => {
    const answer = await client.post("/simulator/faults", order);
    expectRefusal(answer, "400/131");
    expect(fieldsOf(answer)).toEqual([field]);
  });
});

describe("deliveries", () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await Receiver.open();
    const answer = await client.post("/webhook-endpoints", { url: receiver.url });
    expect(verdict(answer)).toBe("200/000");
  });
  afterEach(() => receiver.goDown());

  const amounts = (): number[] => receiver.received.map(({ body }) => body.data.amount);

  /** The event of a deposit, with what became of it, once it has been tried so often. */
  const tried = (amount: number, attempts: number) =>
    eventually(`${attempts} attempts`, async () => {
      const { body } = await client.get("/events?type=wallet.deposited");
      const { eventId } = body.data.find(
        (event: { data: { amount: number } }) => event.data.amount === amount,
      );
      const event = (await client.get(`/events/${eventId}`)).body.data;
      return event.attempts.length >= attempts ? event : undefined;
    });

  test("may come twice: the same message, one acknowledgement", async () => {
    await inject({ fault: "DuplicateDeliveries", count: 1 });
    await deposit(1);
    const [first, second] = await receiver.until(2);
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    expect(second?.text).toBe(first?.text);
    expect((await tried(1, 1)).attempts).toEqual([expect.objectContaining({ httpStatus: 200 })]);
    await deposit(2);
    await receiver.until(3);
    await deposit(3);
    await receiver.until(4);
    expect(amounts()).toEqual([1, 1, 2, 3]);
  });

  test("may all come twice, as many as an endpoint may have under way", async () => {
    // An endpoint is sent more at once as it acknowledges more.
    for (let n = 1; n <= 40; n++) await deposit(n);
    await receiver.until(40);
    receiver.answerWith((response) => void setTimeout(() => response.writeHead(200).end(), 300));
    await inject({ fault: "DuplicateDeliveries", count: 100 });
    await Promise.all(Array.from({ length: 60 }, (_, n) => deposit(100 + n)));
    await receiver.until(40 + 2 * 60);
    const twice = Array.from({ length: 60 }, (_, n) => [100 + n, 100 + n]).flat();
    expect(amounts().slice(40).toSorted()).toEqual(twice.toSorted());
  });

  test("may be lost, and come again as after any failure", async () => {
    await inject({ fault: "DropDeliveries", count: 2 });
    await deposit(1);
    const { attempts, eventId } = await tried(1, 1);
    expect(attempts).toEqual([
      expect.objectContaining({ httpStatus: null, error: expect.stringContaining("dropped") }),
    ]);
    await advance(5);
    await tried(1, 2);
    expect(amounts()).toEqual([]);
    await advance(30);
    await receiver.until(1);
    expect(receiver.ids).toEqual([eventId]);
    expect((await tried(1, 3)).attempts.at(-1)).toMatchObject({ httpStatus: 200 });
  });

  test("may be late, which is no failure, while later ones are on time", async () => {
    await inject({ fault: "DelayDeliveries", count: 2, seconds: 3600 });
    for (const amount of [1, 2, 3]) await deposit(amount);
    await receiver.until(1);
    expect(amounts()).toEqual([3]);
    expect((await tried(1, 0)).attempts).toEqual([]);
    await advance(3600);
    await receiver.until(3);
    expect([...amounts()].sort()).toEqual([1, 2, 3]);
    expect((await tried(1, 1)).attempts).toEqual([expect.objectContaining({ httpStatus: 200 })]);
  });

  test("may overtake each other", async () => {
    await inject({ fault: "ReorderDeliveries", count: 2 });
    for (const amount of [1, 2]) await deposit(amount);
    await receiver.until(2);
    for (const amount of [3, 4]) await deposit(amount);
    await receiver.until(4);
    await deposit(5);
    await receiver.until(5);
    expect(amounts()).toEqual([2, 1, 4, 3, 5]);
    expect((await tried(1, 1)).attempts).toEqual([expect.objectContaining({ httpStatus: 200 })]);
  });

  test("that nothing overtakes come in the end all the same", async () => {
    await inject({ fault: "ReorderDeliveries", count: 1 });
    await deposit(1);
    await until("it is held back", async () => {
      const { rows } = await operator.pool.query(
        `select count(*)::int as held from webhook_deliveries
          join webhook_endpoints using (organization_id, webhook_endpoint_id)
         where url = $1 and due_at > $2 and attempts = 0`,
        [receiver.url, operator.clock.now()],
      );
      return rows[0].held === 1;
    });
    await advance(30);
    await receiver.until(1);
    expect(amounts()).toEqual([1]);
  });
});

describe("a connection that is cut", () => {
  const depositRaw = (reference: string) =>
    sendSigned(client, "POST", DEPOSITS, { reference, body: { currency: "USD", amount: 7 } });

  test("loses the answer and not the effect, which the Reference finds", async () => {
    const reference = newReference();
    await inject({ fault: "CutConnection" });
    await expect(depositRaw(reference)).rejects.toThrow(NO_ANSWER);
    const { body } = await client.get(`/requests/${reference}`);
    expect(body.data).toMatchObject({ state: "Succeeded", responseCode: "000", httpStatus: 200 });
    expectRefusal(await depositRaw(reference), "400/139");
    expect(await balance()).toBe(7);
  });

  test("loses refusals, lists and downloads alike", async () => {
    const reference = newReference();
    await deposit();
    const walletId = (await client.get("/wallets")).body.data[0].walletId;
    await inject({ fault: "CutConnection", count: 4 });
    const calls: [string, CallOptions?][] = [
      ["/cards/card_00000000000000000000000000", { reference }],
      ["/wallets"],
      [`/wallets/${walletId}/entries`, { headers: { Accept: "text/csv" } }],
      ["/nowhere"],
    ];
    for (const [path, options] of calls) {
      await expect(sendSigned(client, "GET", path, options)).rejects.toThrow(NO_ANSWER);
    }
    const { body } = await client.get(`/requests/${reference}`);
    expect(body.data).toMatchObject({ state: "Failed", responseCode: "148" });
  });

  test("is never the one that sets or ends faults", async () => {
    await inject({ fault: "CutConnection", count: 3 });
    expect(await inject({ fault: "KycSlow", count: 1 })).toHaveLength(2);
    expect(await inject({ fault: "None" })).toEqual([]);
    await deposit();
  });

  test("is not spent by a call that is refused before it is worked on", async () => {
    await inject({ fault: "CutConnection" });
    expectRefusal(await client.post(DEPOSITS, { currency: "USD" }), "400/131");
    expectRefusal(await client.get("/wallets", { headers: { Signature: "x" } }), "401/137");
    await expect(sendSigned(client, "GET", "/wallets")).rejects.toThrow(NO_ANSWER);
  });
});

describe("the register", () => {
  test.each([
    ["KycDown", "502/152"],
    ["KycSlow", "504/172"],
  ])("%s answers %s, and the same Reference goes through afterwards", async (fault, expected) => {
    const [body, options] = [bvn(), { reference: newReference() }];
    await inject({ fault, count: 1 });
    const failed = await verifyIndividual(client, body, options);
    expectRefusal(failed, expected);
    expect(failed.body.finality).toBe("Indeterminate");
    const answer = await verifyIndividual(client, body, options);
    expect(verdict(answer)).toBe("200/000");
    expect(answer.body.data.status).toBe("Approved");
  });

  test("a document is submitted again until it gets through", async () => {
    await inject({ fault: "KycDown", count: 2 });
    const { body } = await verifyIndividual(client, passport());
    await until("both attempts have failed", async () => {
      await advance(30);
      // There is no endpoint, so that this strikes nobody; it tells what is left.
      return (await inject({ fault: "DropDeliveries", count: 1 })).length === 1;
    });
    await advance(60);
    await untilStatus(client, body.data.kycToken, "Pending");
    await advance(60);
    expect(await untilStatus(client, body.data.kycToken, "Approved")).toMatchObject({
      customerId: expect.any(String),
    });
  });
});
