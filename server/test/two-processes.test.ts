import { afterAll, beforeAll, expect, test } from "vitest";
import { type Core, openCore } from "../src/core.ts";
import { readConfig } from "../src/foundation/config/config.ts";
import { audit } from "../src/ledger/audit/audit.ts";
import { turnGenerations } from "../src/references/generations.ts";
import { verdict } from "./harness/answers.ts";
import { type ApiAnswer, type ApiClient, newReference } from "./harness/api-client.ts";
import { until } from "./harness/eventually.ts";
import { bvn, verifyIndividual } from "./harness/kyc.ts";
import { startTestService, type TestService } from "./harness/service.ts";

const DEPOSITS = "/simulator/wallets/deposits";

let first: TestService;
let second: TestService;
let operator: Core;
let clients: [ApiClient, ApiClient];

beforeAll(async () => {
  first = await startTestService();
  second = await startTestService({ FLORIN_DATABASE_URL: first.databaseUrl });
  operator = await openCore(readConfig(first.environment), () => undefined);
  clients = [first.client, second.client];
});
afterAll(async () => {
  await operator.close();
  await second.stop();
  await first.stop();
});

const deposit = (client: ApiClient, reference: string, amount: number, currency = "USD") =>
  client.post(DEPOSITS, { currency, amount }, { reference });

async function balance(currency = "USD"): Promise<number> {
  const { body } = await first.client.get("/wallets");
  const wallets: { currency: string; balance: number }[] = body.data;
  return wallets.find((wallet) => wallet.currency === currency)?.balance ?? 0;
}

const references = (count: number): string[] => Array.from({ length: count }, () => newReference());
const verdicts = (answers: ApiAnswer[]): string[] => answers.map(verdict).toSorted();
const ONE_OF_TWO = ["200/000", "400/139"];

/** Sends each Reference to both processes at once, some at a time. */
async function toBoth(
  all: string[],
  send: (client: ApiClient, reference: string, index: number) => Promise<ApiAnswer>,
): Promise<ApiAnswer[][]> {
  const answers: ApiAnswer[][] = [];
  const queue = [...all.entries()];
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [index, reference] = next;
      answers[index] = await Promise.all(clients.map((client) => send(client, reference, index)));
    }
  };
  await Promise.all(Array.from({ length: 10 }, worker));
  return answers;
}

test("both serve the same organization and the same money", async () => {
  expect(second.sandbox.clientId).toBe(first.sandbox.clientId);
  const before = await balance();
  await deposit(first.client, newReference(), 1);
  expect((await deposit(second.client, newReference(), 2)).body.data.balance).toBe(before + 3);
});

test("one Reference sent to both at once, 200 times: each has one effect", async () => {
  const before = await balance();
  const answers = await toBoth(references(200), (client, reference, index) =>
    deposit(client, reference, index + 1),
  );
  expect(answers.map(verdicts)).toEqual(answers.map(() => ONE_OF_TWO));
  expect(await balance()).toBe(before + (200 * 201) / 2);
});

test("with a payload for each process, the one that is acknowledged is the one that happened", async () => {
  await Promise.all([
    deposit(first.client, newReference(), 1, "EUR"),
    deposit(first.client, newReference(), 1, "GBP"),
  ]);
  const before = { EUR: await balance("EUR"), GBP: await balance("GBP") };
  const currencyOf = (client: ApiClient) => (client === first.client ? "EUR" : "GBP");
  // Different wallets: nothing but the Reference itself keeps these apart.
  const answers = await toBoth(references(100), (client, reference) =>
    deposit(client, reference, 1, currencyOf(client)),
  );
  expect(answers.map(verdicts)).toEqual(answers.map(() => ONE_OF_TWO));
  const won = (index: 0 | 1) => answers.filter((pair) => pair[index]?.status === 200).length;
  expect({ EUR: await balance("EUR"), GBP: await balance("GBP") }).toEqual({
    EUR: before.EUR + won(0),
    GBP: before.GBP + won(1),
  });
});

test("a read that meets the same read in the other process: one is answered, one refused", async () => {
  const answers = await toBoth(references(50), (client, reference) =>
    client.get("/wallets", { reference }),
  );
  expect(answers.map(verdicts)).toEqual(answers.map(() => ONE_OF_TWO));
});

test("the clock moves once for a Reference that both get", async () => {
  const nowOf = async (client: ApiClient): Promise<number> => {
    const { body } = await client.post("/simulator/clock/advance", { seconds: 1 });
    return Date.parse(body.data.now);
  };
  const started = Date.now();
  const before = await nowOf(first.client);
  const answers = await toBoth(references(10), (client, reference) =>
    client.post("/simulator/clock/advance", { seconds: 10 }, { reference }),
  );
  expect(answers.map(verdicts)).toEqual(answers.map(() => ONE_OF_TWO));
  const moved = (await nowOf(first.client)) - before - (Date.now() - started);
  expect(Math.round(moved / 10_000)).toBe(10);
});

test("what one process did or refused the other knows", async () => {
  const [done, failed] = [newReference(), newReference()];
  const { walletId } = (await deposit(first.client, done, 1)).body.data;
  expect(verdict(await deposit(second.client, done, 1))).toBe("400/139");
  expect((await second.client.get(`/requests/${done}`)).body.data).toMatchObject({
    state: "Succeeded",
    resourceId: walletId,
  });
  expect(verdict(await first.client.post("/nowhere", { a: 1 }, { reference: failed }))).toBe(
    "404/157",
  );
  expect(verdict(await second.client.post("/nowhere", { a: 1 }, { reference: failed }))).toBe(
    "404/157",
  );
  expect(verdict(await second.client.post("/nowhere", { a: 2 }, { reference: failed }))).toBe(
    "400/139",
  );
});

test("what the other process is still working on is waited for, whatever comes under its Reference", async () => {
  const reference = newReference();
  const slow = bvn({ idNumber: "55555555555" });
  const verification = verifyIndividual(first.client, slow, { reference });
  await until("it is in progress", async () => {
    const { body } = await second.client.get(`/requests/${reference}`);
    return body.data.state === "InProgress";
  });
  const others = await Promise.all([
    deposit(second.client, reference, 1),
    second.client.get("/wallets", { reference }),
    second.client.post(DEPOSITS, { amount: "1" }, { reference }),
  ]);
  expect(verdict(await verification)).toBe("504/172");
  expect(others.map(verdict)).toEqual(["400/139", "400/139", "400/139"]);
  const messages = others.map(({ body }) => body.responseMessage);
  expect(messages).toEqual(messages.map(() => expect.stringContaining("payload was another")));
});

test("many References in opposite orders do not lock each other out", async () => {
  const all = references(100);
  const before = await balance();
  const [there, back] = await Promise.all([
    Promise.all(all.map((reference) => deposit(first.client, reference, 1))),
    Promise.all(all.toReversed().map((reference) => deposit(second.client, reference, 1))),
  ]);
  const pairs = all.map((_, index) => [there[index], back.at(-1 - index)] as ApiAnswer[]);
  expect(pairs.map(verdicts)).toEqual(pairs.map(() => ONE_OF_TWO));
  expect(await balance()).toBe(before + 100);
});

test("a currency that both see for the first time gets one wallet", async () => {
  const answers = await Promise.all(
    [...clients, ...clients, ...clients].map((client) => deposit(client, newReference(), 1, "NOK")),
  );
  expect(new Set(answers.map(({ body }) => body.data.walletId)).size).toBe(1);
  expect(await balance("NOK")).toBe(6);
});

test("no Reference works twice while generations switch under load", async () => {
  for (let day = 0; day < 3; day++) {
    await nextDay();
    const before = await balance();
    const all = references(40);
    let over = false;
    const load = repeatedly(all).finally(() => {
      over = true;
    });
    const turning = (async () => {
      while (!over) {
        // Both processes look after the generations, each as if it were alone.
        await Promise.all([turn(), turn()]);
      }
    })();
    const [successes] = await Promise.all([load, turning]);
    expect(successes.toSorted()).toEqual(all.toSorted());
    expect(await balance()).toBe(before + all.length);
  }
  const { rows } = await operator.pool.query(
    `select (select count(*)::int from reference_generations) as generations,
            (select count(*)::int from pg_inherits
              where inhparent = 'request_references'::regclass) as tables`,
  );
  expect(rows).toEqual([{ generations: 2, tables: 2 }]);
});

const turn = () => turnGenerations(operator.pool, operator.clock).catch(() => undefined);

/** Sends every Reference four times, in two rounds to both processes; gives those that worked. */
async function repeatedly(all: string[]): Promise<string[]> {
  const worked: string[] = [];
  const send = async (client: ApiClient, reference: string): Promise<ApiAnswer> => {
    const answer = await deposit(client, reference, 1);
    if (answer.status === 200) worked.push(reference);
    else expect(verdict(answer)).toBe("400/139");
    return answer;
  };
  await toBoth(all, send);
  await toBoth(all.toReversed(), send);
  return worked;
}

/** A generation becomes due for its successor a day after it began. */
async function nextDay(): Promise<void> {
  const { body } = await first.client.post("/simulator/clock/advance", { seconds: 86_401 });
  const now = Date.parse(body.data.now);
  first.client.forgetToken();
  await until("both processes and the operator have the new time", async () => {
    const reference = newReference();
    second.client.forgetToken();
    await second.client.get("/wallets", { reference });
    const { body: outcome } = await second.client.get(`/requests/${reference}`);
    return Date.parse(outcome.data.completedAt) >= now && operator.clock.nowMs() >= now;
  });
}

test("after all of this the books hold", async () => {
  expect((await audit(operator.pool)).problems).toEqual([]);
});
