import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Core } from "../src/core.ts";
import { expectRefusal, verdict, WALLET_ID } from "./harness/answers.ts";
import { newReference } from "./harness/api-client.ts";
import { foundOrganization, type Organization, openOperator } from "./harness/operator.ts";
import { startTestService, type TestService } from "./harness/service.ts";

const DEPOSITS = "/simulator/wallets/deposits";

let service: TestService;
let operator: Core;
let ours: Organization;
let theirs: Organization;
beforeAll(async () => {
  service = await startTestService();
  operator = await openOperator(service);
  ours = await foundOrganization(operator, service, { name: "Ours" });
  theirs = await foundOrganization(operator, service, { name: "Theirs" });
});
afterAll(async () => {
  await operator.close();
  await service.stop();
});

const depositTo = ({ client }: Organization, amount: number, reference = newReference()) =>
  client.post(DEPOSITS, { currency: "USD", amount }, { reference });

describe("wallets", () => {
  test("a new organization has none, whatever others have", async () => {
    expect((await theirs.client.get("/wallets")).body.data).toEqual([]);
  });

  test("each organization has its own, also in the same currency", async () => {
    await depositTo(ours, 10);
    await depositTo(theirs, 20);
    const [our] = (await ours.client.get("/wallets")).body.data;
    const [their] = (await theirs.client.get("/wallets")).body.data;
    expect(our).toEqual({
      walletId: expect.stringMatching(WALLET_ID),
      currency: "USD",
      balance: 10,
      availableBalance: 10,
    });
    expect(their).toMatchObject({ currency: "USD", balance: 20 });
    expect(their.walletId).not.toBe(our.walletId);
    expect((await service.client.get("/wallets")).body.data[0].balance).toBe(100_000);
  });

  test("deposits that run side by side stay apart", async () => {
    const before = await Promise.all([balance(ours), balance(theirs)]);
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => depositTo(i % 2 === 0 ? ours : theirs, 1)),
    );
    expect([await balance(ours), await balance(theirs)]).toEqual(before.map((b) => b + 10));
  });

  const balance = async ({ client }: Organization): Promise<number> =>
    (await client.get("/wallets")).body.data[0]?.balance ?? 0;
});

describe("References", () => {
  test("one organization's Reference is free for another", async () => {
    const reference = newReference();
    expect(verdict(await depositTo(ours, 1, reference))).toBe("200/000");
    expect(verdict(await depositTo(theirs, 1, reference))).toBe("200/000");
    expectRefusal(await depositTo(ours, 1, reference), "400/139");
    expectRefusal(await depositTo(theirs, 1, reference), "400/139");
  });

  test("the same Reference at the same time, by two organizations, works for both", async () => {
    const reference = newReference();
    const answers = await Promise.all([
      depositTo(ours, 1, reference),
      depositTo(theirs, 1, reference),
    ]);
    expect(answers.map(verdict)).toEqual(["200/000", "200/000"]);
  });
});

describe("requests", () => {
  const outcomeFor = async ({ client }: Organization, reference: string) => {
    const { status, body } = await client.get(`/requests/${reference}`);
    expect(status).toBe(200);
    return body.data;
  };

  test("are known to their own client", async () => {
    const reference = newReference();
    const { body } = await depositTo(ours, 1, reference);
    expect(await outcomeFor(ours, reference)).toStrictEqual({
      reference,
      state: "Succeeded",
      method: "POST",
      path: `/api/v1${DEPOSITS}`,
      httpStatus: 200,
      responseCode: "000",
      resourceId: body.data.walletId,
      completedAt: expect.any(String),
    });
  });

  test("another's is answered exactly like one that does not exist", async () => {
    const [succeeded, failed, never] = [newReference(), newReference(), newReference()];
    await depositTo(ours, 1, succeeded);
    await ours.client.get("/nowhere", { reference: failed });
    expect((await outcomeFor(ours, failed)).state).toBe("Failed");
    const nothing = { ...(await outcomeFor(theirs, never)), reference: undefined };
    expect(nothing.state).toBe("Unknown");
    for (const reference of [succeeded, failed]) {
      expect({ ...(await outcomeFor(theirs, reference)), reference: undefined }).toEqual(nothing);
    }
  });
});

test("one organization's credentials do not mix with another's", async () => {
  const { uniqueKey } = theirs;
  expectRefusal(
    await ours.client.get("/wallets", { headers: { UniqueKey: uniqueKey } }),
    "401/113",
  );
  const url = `${service.sandbox.apiUrl}/api/v1/wallets`;
  const reference = newReference();
  const Signature = theirs.client.sign("GET", url, reference);
  const forged = await ours.client.get("/wallets", { reference, headers: { Signature } });
  expectRefusal(forged, "401/137");
});
