import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Core } from "../src/core.ts";
import { expectRefusal, fieldsOf } from "./harness/answers.ts";
import type { ApiClient } from "./harness/api-client.ts";
import { customersOf, type Listed, referencesOf } from "./harness/customer-list.ts";
import { business, bvn, passport, verifyBusiness, verifyIndividual } from "./harness/kyc.ts";
import { foundOrganization, openOperator } from "./harness/operator.ts";
import { startTestService, type TestService } from "./harness/service.ts";

let service: TestService;
let operator: Core;
beforeAll(async () => {
  service = await startTestService({ FLORIN_SANDBOX_KYC_DELAY_MS: "86400000" });
  operator = await openOperator(service);
});
afterAll(async () => {
  await operator.close();
  await service.stop();
});

const newClient = async (): Promise<ApiClient> =>
  (await foundOrganization(operator, service)).client;

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
    expect(await customersOf(client, "?type=Individual&limit=100")).toHaveLength(
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
    const listed = (await customersOf(client, "?limit=100")).toReversed();
    const at = (n: number): string => listed[n]?.createdAt ?? "";
    const between = `?limit=100&from=${at(3)}&to=${at(9)}`;
    const expected = listed.filter(({ createdAt }) => createdAt >= at(3) && createdAt < at(9));
    expect(expected.length).toBeGreaterThan(0);
    expect(await referencesOf(client, between)).toEqual(
      expected.map(({ clientReference }) => clientReference),
    );
    const today = at(0).slice(0, 10);
    expect(await referencesOf(client, `?limit=100&from=${today}&to=2999-01-01`)).toEqual(all);
    expect(await customersOf(client, "?from=2999-01-01")).toEqual([]);
    expect(await customersOf(client, "?to=1969-12-31")).toEqual([]);
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
