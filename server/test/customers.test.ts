import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Core } from "../src/core.ts";
import { expectEnvelope, expectRefusal, TIMESTAMP, verdict } from "./harness/answers.ts";
import { type ApiClient, newReference } from "./harness/api-client.ts";
import { customersOf, referencesOf } from "./harness/customer-list.ts";
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

/** An organization of its own, so that tests do not see each other's customers. */
const newClient = async (): Promise<ApiClient> =>
  (await foundOrganization(operator, service)).client;

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
    const [customer] = await customersOf(
      service.client,
      `?clientReference=${body.clientReference}`,
    );
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
    expect(await customersOf(theirs)).toEqual([]);
    expect(await customersOf(theirs, "?name=ada")).toEqual([]);
    expect(await customersOf(mine)).toHaveLength(2);
  });

  test("reference is another customer", async () => {
    const [mine, theirs] = [await newClient(), await newClient()];
    const ids = [mine, theirs].map(
      async (client) =>
        (await verifyIndividual(client, bvn({}, "same"))).body.data.customerId as string,
    );
    expect(new Set(await Promise.all(ids)).size).toBe(2);
    for (const client of [mine, theirs]) expect(await customersOf(client)).toHaveLength(1);
  });
});

test("tokens and ids are opaque", async () => {
  const { data } = (await verifyIndividual(service.client, bvn())).body;
  expect(data.kycToken).toMatch(KYC_TOKEN);
  expect(JSON.stringify(data)).not.toContain("22222222222");
});
