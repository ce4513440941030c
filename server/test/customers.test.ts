import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Core } from "../src/core.ts";
import { expectEnvelope, expectRefusal, fieldsOf, TIMESTAMP, verdict } from "./harness/answers.ts";
import { type ApiClient, newReference } from "./harness/api-client.ts";
import { until } from "./harness/eventually.ts";
import {
  accra,
  business,
  bvn,
  CUSTOMER_ID,
  KYC_TOKEN,
  lagos,
  passport,
  statusOf,
  untilStatus,
  verifyBusiness,
  verifyIndividual,
} from "./harness/kyc.ts";
import { lockWaiters } from "./harness/lock-waiters.ts";
import { foundOrganization, openOperator } from "./harness/operator.ts";
import { startTestService, type TestService } from "./harness/service.ts";

let service: TestService;
let operator: Core;
beforeAll(async () => {
  service = await startTestService({
    FLORIN_SANDBOX_KYC_DELAY_MS: "86400000",
    FLORIN_TOKEN_TTL_S: "86400",
  });
  operator = await openOperator(service);
});
afterAll(async () => {
  await operator.close();
  await service.stop();
});

interface Listed {
  customerId: string;
  clientReference: string;
  createdAt: string;
}

/** An organization of its own, so that tests do not see each other's customers. */
const newClient = async (): Promise<ApiClient> =>
  (await foundOrganization(operator, service)).client;

const list = async (client: ApiClient, query = ""): Promise<Listed[]> => {
  const answer = await client.get(`/customers${query}`);
  expect(verdict(answer)).toBe("200/000");
  return answer.body.data;
};

const referencesOf = async (client: ApiClient, query: string): Promise<string[]> =>
  (await list(client, query)).map(({ clientReference }) => clientReference).toReversed();

const decide = (kycToken: string, decision: unknown, client = service.client) =>
  client.post(`/simulator/kyc/${kycToken}`, decision);

describe("a customer", () => {
  test("by a number has all that was said of it but the number", async () => {
    const said = {
      email: "ada@example.com",
      phoneNumber: "+2348031234567",
      dateOfBirth: "1992-04-15",
      address: { ...lagos, postalCode: "100001", country: "Nigeria" },
    };
    const spaced = {
      street: ` ${lagos.street}`,
      city: `${lagos.city} `,
      state: ` ${lagos.state} `,
    };
    const address = { ...said.address, ...spaced, postalCode: " 100001" };
    const body = bvn({ ...said, address, firstName: "  Adà ", lastName: " Obi" });
    const { data } = (await verifyIndividual(service.client, body)).body;
    const answer = await service.client.get(`/customers/${data.customerId}`);
    expectEnvelope(answer);
    expect(answer.body.data).toEqual({
      customerId: data.customerId,
      type: "Individual",
      clientReference: body.clientReference,
      firstName: "Adà",
      lastName: "Obi",
      email: said.email,
      phoneNumber: said.phoneNumber,
      address: { ...lagos, postalCode: "100001" },
      kycToken: data.kycToken,
      status: "Approved",
      createdAt: expect.stringMatching(TIMESTAMP),
    });
  });

  test("that is a business", async () => {
    const address = { ...accra, postalCode: "GA-1" };
    const registeredName = " Obi & Sons Ltd ";
    const body = business({ registeredName, email: "info@example.com", address });
    const { data } = (await verifyBusiness(service.client, body)).body;
    const [customer] = await list(service.client, `?clientReference=${body.clientReference}`);
    expect(customer).toEqual({
      customerId: expect.stringMatching(CUSTOMER_ID),
      type: "Business",
      clientReference: body.clientReference,
      registeredName: "Obi & Sons Ltd",
      email: "info@example.com",
      address,
      kycToken: data.kycToken,
      status: expect.stringMatching(/^(Initiated|Pending)$/),
      createdAt: expect.stringMatching(TIMESTAMP),
    });
  });

  test.each([
    "cus_00000000000000000000000000",
    "cus_x",
    "kyc_00000000000000000000000000",
    "nonsense",
    "%00",
  ])("that is unknown or malformed is 404/157: %s", async (customerId) => {
    expectRefusal(await service.client.get(`/customers/${customerId}`), "404/157");
  });
});

describe("over several verifications a customer", () => {
  const read = async (clientReference: string) =>
    (await service.client.get(`/customers?clientReference=${clientReference}`)).body.data;
  const submit = async (body: object) => (await verifyIndividual(service.client, body)).body.data;

  test("keeps its id, and takes the newest approved details", async () => {
    const reference = newReference();
    const first = await submit(bvn({ lastName: "Before" }, reference));
    const second = await submit(bvn({ lastName: "After", email: "new@example.com" }, reference));
    expect(second.customerId).toBe(first.customerId);
    expect(second.kycToken).not.toBe(first.kycToken);
    expect(await read(reference)).toEqual([
      expect.objectContaining({
        customerId: first.customerId,
        lastName: "After",
        email: "new@example.com",
        kycToken: second.kycToken,
        status: "Approved",
      }),
    ]);
    // Each verification keeps what it said.
    expect((await statusOf(service.client, first.kycToken)).body.data).toEqual(first);
    const names = ["Before", "After"].map((name) => `?name=${name}&clientReference=${reference}`);
    expect(await referencesOf(service.client, names[0] ?? "")).toEqual([]);
    expect(await referencesOf(service.client, names[1] ?? "")).toEqual([reference]);
  });

  test("once Approved is not lowered by what comes later", async () => {
    const reference = newReference();
    const approved = await submit(bvn({}, reference));
    const before = await read(reference);
    const rejected = await submit(bvn({ idNumber: "33333333333", lastName: "X" }, reference));
    expect(rejected).toMatchObject({ status: "Rejected" });
    expect(rejected.customerId).toBeUndefined();
    const later = await submit(passport({ lastName: "Y" }, reference));
    expect(await read(reference)).toEqual(before);
    await decide(later.kycToken, { status: "Rejected" });
    expect(await read(reference)).toEqual(before);
    const another = await submit(passport({ lastName: "Z" }, reference));
    const { body } = await decide(another.kycToken, { status: "Approved" });
    expect(body.data.customerId).toBe(approved.customerId);
    expect(await read(reference)).toEqual(
      [{ ...before[0], lastName: "Z", kycToken: another.kycToken, address: undefined }].map(
        (customer) => JSON.parse(JSON.stringify(customer)),
      ),
    );
  });

  test("once Approved is not lowered by what is decided at the same time", async () => {
    const reference = newReference();
    const older = await submit(passport({}, reference));
    const latest = await submit(passport({}, reference));
    for (const { kycToken } of [older, latest]) {
      await untilStatus(service.client, kycToken, "Pending");
    }
    const { pool } = operator;
    const untilWaiting = (count: number) =>
      until(`${count} wait for the customer`, async () => (await lockWaiters(pool)) === count);
    const gate = await pool.connect();
    await gate.query("begin");
    await gate.query("select from customers where client_reference = $1 for no key update", [
      reference,
    ]);
    const approval = decide(older.kycToken, { status: "Approved" });
    await untilWaiting(1);
    const rejection = decide(latest.kycToken, { status: "Rejected" });
    await untilWaiting(2).finally(() => gate.query("commit"));
    gate.release();
    expect([verdict(await approval), verdict(await rejection)]).toEqual(["200/000", "200/000"]);
    expect(await read(reference)).toMatchObject([{ status: "Approved", kycToken: older.kycToken }]);
  });

  test("that is not Approved follows the latest submission", async () => {
    const reference = newReference();
    const rejected = await submit(bvn({ idNumber: "33333333333" }, reference));
    const [first] = await read(reference);
    expect(first).toMatchObject({ status: "Rejected", kycToken: rejected.kycToken });
    const second = await submit(passport({ lastName: "Newer" }, reference));
    await decide(second.kycToken, { status: "Pending" });
    expect(await read(reference)).toEqual([
      expect.objectContaining({
        customerId: first.customerId,
        status: "Pending",
        lastName: "Newer",
        kycToken: second.kycToken,
      }),
    ]);
    const third = await submit(passport({}, reference));
    await decide(third.kycToken, { status: "Pending" });
    await decide(second.kycToken, { status: "Rejected" });
    expect(await read(reference)).toMatchObject([{ status: "Pending", kycToken: third.kycToken }]);
  });

  test("is one, however many submissions come at once", async () => {
    const reference = newReference();
    const answers = await Promise.all(Array.from({ length: 8 }, () => submit(bvn({}, reference))));
    expect(new Set(answers.map(({ customerId }) => customerId)).size).toBe(1);
    expect(new Set(answers.map(({ kycToken }) => kycToken)).size).toBe(8);
    expect(await read(reference)).toHaveLength(1);
  });

  test("is a person or a business: one reference may name one of each", async () => {
    const reference = newReference();
    await submit(bvn({}, reference));
    await verifyBusiness(service.client, business({}, reference));
    expect((await read(reference)).map(({ type }: { type: string }) => type)).toEqual([
      "Business",
      "Individual",
    ]);
  });
});

describe("the list", () => {
  let client: ApiClient;
  const all = Array.from({ length: 23 }, (_, n) => `c-${String(n).padStart(2, "0")}`);
  beforeAll(async () => {
    client = await newClient();
    for (const [n, reference] of all.entries()) {
      if (n % 5 === 0) await verifyBusiness(client, business({}, reference));
      else await verifyIndividual(client, bvn({}, reference));
    }
  });

  test.each([1, 7, 20, 22, 23, 100])("in pages of %i is whole, newest first", async (limit) => {
    const seen: string[] = [];
    let cursor = "";
    do {
      const { body } = await client.get(`/customers?limit=${limit}${cursor}`);
      expect(body.data.length).toBeLessThanOrEqual(limit);
      expect(body.pagination.limit).toBe(limit);
      seen.push(...body.data.map(({ clientReference }: Listed) => clientReference));
      const { nextCursor } = body.pagination;
      if (nextCursor !== null) expect(body.data).toHaveLength(limit);
      cursor = nextCursor === null ? "" : `&cursor=${nextCursor}`;
    } while (cursor !== "");
    expect(seen).toEqual(all.toReversed());
  });

  test("has 20 to a page unless told otherwise", async () => {
    const { body } = await client.get("/customers");
    expect(body.data).toHaveLength(20);
    expect(body.pagination).toEqual({ limit: 20, nextCursor: expect.stringMatching(/./) });
  });

  test("does not shift when somebody is added between two pages", async () => {
    const own = await newClient();
    for (const reference of ["a", "b", "c"]) await verifyIndividual(own, bvn({}, reference));
    const { body } = await own.get("/customers?limit=2");
    await verifyIndividual(own, bvn({}, "d"));
    const next = `?limit=2&cursor=${body.pagination.nextCursor}`;
    expect(await referencesOf(own, next)).toEqual(["a"]);
  });

  test("by type, with pages of its own", async () => {
    const businesses = all.filter((_, n) => n % 5 === 0);
    expect(await referencesOf(client, "?type=Business")).toEqual(businesses);
    const { body } = await client.get("/customers?type=Business&limit=2");
    const next = `?type=Business&limit=100&cursor=${body.pagination.nextCursor}`;
    expect(await referencesOf(client, next)).toEqual(businesses.slice(0, -2));
    expect(await list(client, "?type=Individual&limit=100")).toHaveLength(
      all.length - businesses.length,
    );
  });

  test("by reference, exactly", async () => {
    expect(await referencesOf(client, "?clientReference=c-07")).toEqual(["c-07"]);
    expect(await referencesOf(client, "?clientReference=C-07")).toEqual([]);
    expect(await referencesOf(client, "?clientReference=c-0")).toEqual([]);
    expect(await referencesOf(client, "?clientReference=c-07&type=Business")).toEqual([]);
  });

  test("by time: from a moment on, and before another", async () => {
    const listed = (await list(client, "?limit=100")).toReversed();
    const at = (n: number): string => listed[n]?.createdAt ?? "";
    const between = `?limit=100&from=${at(3)}&to=${at(9)}`;
    const expected = listed.filter(({ createdAt }) => createdAt >= at(3) && createdAt < at(9));
    expect(expected.length).toBeGreaterThan(0);
    expect(await referencesOf(client, between)).toEqual(
      expected.map(({ clientReference }) => clientReference),
    );
    const today = at(0).slice(0, 10);
    expect(await referencesOf(client, `?limit=100&from=${today}&to=2999-01-01`)).toEqual(all);
    expect(await list(client, "?from=2999-01-01")).toEqual([]);
    expect(await list(client, "?to=1969-12-31")).toEqual([]);
    const { body } = await client.get(`/customers?limit=2&from=${at(3)}&to=${at(9)}`);
    const next = `${between}&cursor=${body.pagination.nextCursor}`;
    expect(await referencesOf(client, next)).toEqual(
      expected.slice(0, -2).map(({ clientReference }) => clientReference),
    );
    // A place behind the end is no way around it.
    const latest = (await client.get("/customers?limit=1")).body.pagination.nextCursor;
    expect(await referencesOf(client, `${between}&cursor=${latest}`)).toEqual(
      expected.map(({ clientReference }) => clientReference),
    );
  });

  test.each([
    ["?limit=0", "limit"],
    ["?limit=101", "limit"],
    ["?limit=x", "limit"],
    ["?limit=1&limit=2", "limit"],
    ["?cursor=x", "cursor"],
    ["?cursor=", "cursor"],
    [`?cursor=${Buffer.from("cus_1").toString("base64url")}`, "cursor"],
    ["?type=Person", "type"],
    ["?clientReference=", "clientReference"],
    ["?name=", "name"],
    [`?name=${"x".repeat(101)}`, "name"],
    ["?name=%00", "name"],
    ["?status=Approved", "status"],
  ])("%s is 400/131", async (query, field) => {
    const answer = await client.get(`/customers${query}`);
    expectRefusal(answer, "400/131");
    expect(fieldsOf(answer)).toEqual([field]);
  });

  test.each([
    "?from=yesterday",
    "?from=2026-02-30",
    "?to=2026-13-01",
    "?from=",
    "?from=2026-01-02&to=2026-01-01",
    `?from=${"2".repeat(100)}`,
    "?from=2026-01-01&from=2026-01-02",
  ])("%s is 400/132", async (query) => {
    expectRefusal(await client.get(`/customers${query}`), "400/132");
  });
});

describe("the list by name", () => {
  let client: ApiClient;
  const people: [reference: string, firstName: string, lastName: string][] = [
    ["ada", "Ada", "Obi"],
    ["adaeze", "Adaeze", "Okeke"],
    ["yemi", "Yẹmí", "Adéṣínà"],
    ["hauwa", "Hauwa'u Amina", "Ɗan-Juma"],
    ["li", "小明", "李"],
    ["twin", "Ada", "Adams"],
  ];
  beforeAll(async () => {
    client = await newClient();
    for (const [reference, firstName, lastName] of people) {
      await verifyIndividual(client, passport({ firstName, lastName }, reference));
    }
    await verifyBusiness(client, business({ registeredName: "Adaptive Ædifice Ltd" }, "firm"));
  });

  test.each<[name: string, found: string[]]>([
    ["Ada", ["ada", "adaeze", "twin", "firm"]],
    ["ADA", ["ada", "adaeze", "twin", "firm"]],
    ["ad", ["ada", "adaeze", "yemi", "twin", "firm"]],
    ["obi", ["ada"]],
    ["obi ada", ["ada"]],
    ["ada ok", ["adaeze"]],
    ["adesina", ["yemi"]],
    ["Adéṣínà", ["yemi"]],
    ["yemi", ["yemi"]],
    ["dan juma", ["hauwa"]],
    ["juma", ["hauwa"]],
    ["hauwau", ["hauwa"]],
    ["amina", ["hauwa"]],
    ["李", ["li"]],
    ["小", ["li"]],
    ["aedif", ["firm"]],
    ["ltd", ["firm"]],
    ["bi", []], // within a word
    ["obi da", []],
    ["adaobi", []],
    ["%", []],
    ["_bi%", []],
    ["!!!", []],
    ['x" or 1=1 --', []],
  ])("%s finds %j", async (name, found) => {
    expect(await referencesOf(client, `?name=${encodeURIComponent(name)}`)).toEqual(found);
  });

  test("goes with the other filters, and with pages", async () => {
    expect(await referencesOf(client, "?name=ada&type=Business")).toEqual(["firm"]);
    expect(await referencesOf(client, "?name=ada&clientReference=ada")).toEqual(["ada"]);
    const { body } = await client.get("/customers?name=ada&limit=2");
    expect(body.data.map(({ clientReference }: Listed) => clientReference)).toEqual([
      "firm",
      "twin",
    ]);
    const next = `?name=ada&limit=2&cursor=${body.pagination.nextCursor}`;
    expect(await referencesOf(client, next)).toEqual(["ada", "adaeze"]);
  });
});

describe("another organization's", () => {
  test("customers and verifications are as if they were not there", async () => {
    const [mine, theirs] = [await newClient(), await newClient()];
    const { data } = (await verifyIndividual(mine, bvn())).body;
    const document = (await verifyIndividual(mine, passport())).body.data;
    const strip = ({ requestId: _, ...rest }: Record<string, unknown>) => rest;
    for (const [real, unreal] of [
      [`/customers/${data.customerId}`, "/customers/cus_00000000000000000000000000"],
      [`/kyc/${data.kycToken}`, "/kyc/kyc_00000000000000000000000000"],
    ] as const) {
      const foreign = await theirs.get(real);
      expectRefusal(foreign, "404/157");
      expect(strip(foreign.body)).toEqual(strip((await theirs.get(unreal)).body));
    }
    expectRefusal(await decide(document.kycToken, { status: "Approved" }, theirs), "404/157");
    expect(await list(theirs)).toEqual([]);
    expect(await list(theirs, "?name=ada")).toEqual([]);
    expect(await list(mine)).toHaveLength(2);
  });

  test("reference is another customer", async () => {
    const [mine, theirs] = [await newClient(), await newClient()];
    const ids = [mine, theirs].map(
      async (client) =>
        (await verifyIndividual(client, bvn({}, "same"))).body.data.customerId as string,
    );
    expect(new Set(await Promise.all(ids)).size).toBe(2);
    for (const client of [mine, theirs]) expect(await list(client)).toHaveLength(1);
  });
});

test("tokens and ids are opaque", async () => {
  const { data } = (await verifyIndividual(service.client, bvn())).body;
  expect(data.kycToken).toMatch(KYC_TOKEN);
  expect(JSON.stringify(data)).not.toContain("22222222222");
});
