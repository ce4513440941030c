import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Core } from "../src/core.ts";
import { eventTypes } from "../src/webhooks/event-types.ts";
import { expectRefusal, fieldsOf, TIMESTAMP, verdict } from "./harness/answers.ts";
import { type ApiClient, newReference } from "./harness/api-client.ts";
import { foundOrganization, type Organization, openOperator } from "./harness/operator.ts";
import { PUBLIC_API_URL, startTestProduction, type TestProduction } from "./harness/production.ts";
import { sendRaw } from "./harness/raw-http.ts";
import { Receiver, verify } from "./harness/receiver.ts";
import { startTestService, type TestService } from "./harness/service.ts";

const ENDPOINTS = "/webhook-endpoints";
const ENDPOINT_ID = /^whe_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;
const URL_1 = "https://hooks.example.com/florin?a=b";
const UNKNOWN = "whe_0000000000000000000000000a";

let service: TestService;
let operator: Core;
let other: Organization;
let receiver: Receiver;
const lines: string[] = [];
beforeAll(async () => {
  const log = { write: (line: string) => void lines.push(line) };
  service = await startTestService({ FLORIN_LOG_LEVEL: "trace" }, { log });
  operator = await openOperator(service);
  other = await foundOrganization(operator, service, { name: "Other" });
  receiver = await Receiver.open();
});
afterAll(async () => {
  await receiver.goDown();
  await operator.close();
  await service.stop();
});

const patch = (client: ApiClient, id: string, body: unknown) =>
  client.call("PATCH", `${ENDPOINTS}/${id}`, { body });

async function create(body: object = {}, client = service.client) {
  const answer = await client.post(ENDPOINTS, { url: URL_1, ...body });
  expect(verdict(answer)).toBe("200/000");
  return answer.body.data;
}

const listed = async (client: ApiClient): Promise<string[]> =>
  (await client.get(`${ENDPOINTS}?limit=100`)).body.data.map(
    (endpoint: { webhookEndpointId: string }) => endpoint.webhookEndpointId,
  );

describe("an endpoint", () => {
  test("is created enabled, for all events, with a secret that is shown once", async () => {
    const created = await create();
    expect(created).toEqual({
      webhookEndpointId: expect.stringMatching(ENDPOINT_ID),
      url: URL_1,
      eventTypes: [],
      status: "Enabled",
      secret: expect.stringMatching(SECRET),
      createdAt: expect.stringMatching(TIMESTAMP),
    });
    const { secret, ...shown } = created;
    const path = `${ENDPOINTS}/${created.webhookEndpointId}`;
    expect((await service.client.get(path)).body.data).toEqual(shown);
    const { body } = await service.client.get(ENDPOINTS);
    expect(body.data[0]).toEqual(shown);
    expect(JSON.stringify(body)).not.toContain("whsec_");
  });

  test("takes every type of the contract, each once", async () => {
    const created = await create({ eventTypes: [...eventTypes] });
    expect(created.eventTypes).toEqual(eventTypes);
    const twice = await create({ eventTypes: ["kyc.approved", "kyc.approved"] });
    expect(twice.eventTypes).toEqual(["kyc.approved"]);
  });

  test("is what the Reference made, for whoever lost the answer", async () => {
    const reference = newReference();
    const { body } = await service.client.post(ENDPOINTS, { url: URL_1 }, { reference });
    const request = await service.client.get(`/requests/${reference}`);
    expect(request.body.data).toMatchObject({
      state: "Succeeded",
      resourceId: body.data.webhookEndpointId,
    });
    expectRefusal(await service.client.post(ENDPOINTS, { url: URL_1 }, { reference }), "400/139");
  });

  test("is changed field by field", async () => {
    const { secret, ...created } = await create({ eventTypes: ["card.issued"] });
    const { webhookEndpointId } = created;
    const steps = [
      { url: "https://other.example.com/" },
      { eventTypes: ["kyc.approved", "kyc.rejected"] },
      { status: "Disabled" },
      { status: "Enabled", eventTypes: [] },
    ];
    let expected = created;
    for (const change of steps) {
      expected = { ...expected, ...change };
      const answer = await patch(service.client, webhookEndpointId, change);
      expect(answer.body.data).toEqual(expected);
    }
    const read = await service.client.get(`${ENDPOINTS}/${webhookEndpointId}`);
    expect(read.body.data).toEqual(expected);
  });

  test("is deleted, and then unknown", async () => {
    const { webhookEndpointId, secret, ...rest } = await create();
    const path = `${ENDPOINTS}/${webhookEndpointId}`;
    const deleted = await service.client.call("DELETE", path);
    expect(verdict(deleted)).toBe("200/000");
    expect(deleted.body.data).toEqual({ webhookEndpointId, ...rest });
    expectRefusal(await service.client.get(path), "404/157");
    expectRefusal(await service.client.call("DELETE", path), "404/157");
    expect(await listed(service.client)).not.toContain(webhookEndpointId);
  });

  test("gets another secret, which is shown once too", async () => {
    const { secret, ...created } = await create();
    const path = `${ENDPOINTS}/${created.webhookEndpointId}`;
    const rotated = await service.client.post(`${path}/rotate-secret`, undefined);
    expect(rotated.body.data).toEqual({ ...created, secret: expect.stringMatching(SECRET) });
    expect(rotated.body.data.secret).not.toBe(secret);
    expect((await service.client.get(path)).body.data).toEqual(created);
    // A body with nothing in it is as good as none.
    expect(verdict(await service.client.post(`${path}/rotate-secret`, {}))).toBe("200/000");
    expectRefusal(await service.client.post(`${path}/rotate-secret`, { secret: "x" }), "400/131");
  });
});

test("lists go from the newest to the oldest, page by page", async () => {
  const client = (await foundOrganization(operator, service)).client;
  const made: string[] = [];
  for (let n = 0; n < 5; n++) made.unshift((await create({}, client)).webhookEndpointId);
  const seen: string[] = [];
  let cursor = "";
  do {
    const { body } = await client.get(`${ENDPOINTS}?limit=2${cursor}`);
    seen.push(...body.data.map((e: { webhookEndpointId: string }) => e.webhookEndpointId));
    cursor = body.pagination.nextCursor === null ? "" : `&cursor=${body.pagination.nextCursor}`;
  } while (cursor !== "");
  // Ids of one millisecond are in no order, but in the same one every time.
  expect(seen).toEqual(made.toSorted().reverse());
  for (const bad of ["x", Buffer.from("nonsense").toString("base64url")]) {
    expect(fieldsOf(await client.get(`${ENDPOINTS}?cursor=${bad}`))).toEqual(["cursor"]);
  }
});

test("an organization has 50 at most, however many it asks for at once", async () => {
  const client = (await foundOrganization(operator, service)).client;
  const answers = await Promise.all(
    Array.from({ length: 55 }, () => client.post(ENDPOINTS, { url: URL_1 })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(50);
  const [refused] = answers.filter(({ status }) => status !== 200);
  expect(refused && verdict(refused)).toBe("422/119");
  expect(await listed(client)).toHaveLength(50);
});

describe("refused with 400/131 and the field's name:", () => {
  const bad: [name: string, body: unknown, fields: string[]][] = [
    ["no body", undefined, ["request"]],
    ["no URL", {}, ["url"]],
    ["a URL that is none", { url: "hooks" }, ["url"]],
    ["an empty one", { url: "" }, ["url"]],
    ["a number", { url: 1 }, ["url"]],
    ["another scheme", { url: "ftp://hooks.example.com/" }, ["url"]],
    ["a user", { url: "https://me@hooks.example.com/" }, ["url"]],
    ["a password", { url: "https://me:x@hooks.example.com/" }, ["url"]],
    ["too long a URL", { url: `https://hooks.example.com/${"x".repeat(3000)}` }, ["url"]],
    ["a link-local address", { url: "http://169.254.169.254/latest/meta-data" }, ["url"]],
    ["the same in another spelling", { url: "http://0xa9.0xfe.0xa9.0xfe/" }, ["url"]],
    ["the same in IPv6", { url: "http://[::ffff:169.254.169.254]/" }, ["url"]],
    ["a link-local address of IPv6", { url: "http://[fe80::1]/" }, ["url"]],
    ["a metadata address of IPv6", { url: "http://[fd00:ec2::254]/" }, ["url"]],
    ["nowhere", { url: "http://0.0.0.0/" }, ["url"]],
    ["an unknown type", { url: URL_1, eventTypes: ["card.eaten"] }, ["eventTypes.0"]],
    [
      "an unknown type among others",
      { url: URL_1, eventTypes: ["card.issued", "*"] },
      ["eventTypes.1"],
    ],
    ["a type that is no list", { url: URL_1, eventTypes: "card.issued" }, ["eventTypes"]],
    ["an unknown field", { url: URL_1, secret: "whsec_x" }, ["secret"]],
    ["a status, which it has already", { url: URL_1, status: "Disabled" }, ["status"]],
  ];
  test.each(bad)("create with %s", async (_name, body, fields) => {
    const before = await listed(service.client);
    const answer = await service.client.post(ENDPOINTS, body);
    expectRefusal(answer, "400/131");
    expect(fieldsOf(answer)).toEqual(fields);
    expect(await listed(service.client)).toEqual(before);
  });

  test.each<[string, unknown, string[]]>([
    ["nothing", {}, ["request"]],
    ["a bad URL", { url: "https://169.254.0.1/" }, ["url"]],
    ["an unknown type", { eventTypes: ["x"] }, ["eventTypes.0"]],
    ["an unknown status", { status: "enabled" }, ["status"]],
    ["an unknown field", { createdAt: "2026-01-01" }, ["createdAt"]],
  ])("change with %s", async (_name, body, fields) => {
    const { webhookEndpointId } = await create();
    const answer = await patch(service.client, webhookEndpointId, body);
    expectRefusal(answer, "400/131");
    expect(fieldsOf(answer)).toEqual(expect.arrayContaining(fields));
  });

  test.each<[string, unknown, string[]]>([
    ["nothing", {}, ["since"]],
    ["no time", { since: "yesterday" }, ["since"]],
    ["no day", { since: "2026-02-30" }, ["since"]],
    ["a number", { since: 1 }, ["since"]],
  ])("recover with %s", async (_name, body, fields) => {
    const { webhookEndpointId } = await create();
    const answer = await service.client.post(`${ENDPOINTS}/${webhookEndpointId}/recover`, body);
    expectRefusal(answer, "400/131");
    expect(fieldsOf(answer)).toEqual(fields);
  });
});

describe("another organization's endpoint is as unknown as one that nobody has:", () => {
  const calls: [name: string, (client: ApiClient, id: string) => Promise<unknown>][] = [
    ["read", (client, id) => client.get(`${ENDPOINTS}/${id}`)],
    ["change", (client, id) => patch(client, id, { status: "Disabled" })],
    ["change to a bad URL", (client, id) => patch(client, id, { url: "http://169.254.169.254/" })],
    ["delete", (client, id) => client.call("DELETE", `${ENDPOINTS}/${id}`)],
    ["rotate", (client, id) => client.post(`${ENDPOINTS}/${id}/rotate-secret`, undefined)],
    ["test", (client, id) => client.post(`${ENDPOINTS}/${id}/test`, undefined)],
    ["recover", (client, id) => client.post(`${ENDPOINTS}/${id}/recover`, { since: "2026-01-01" })],
  ];
  test.each(calls)("%s", async (_name, call) => {
    const { webhookEndpointId } = await create({ url: receiver.url }, other.client);
    const before = receiver.received.length;
    for (const id of [webhookEndpointId, UNKNOWN, "whe_x", "x"]) {
      expectRefusal((await call(service.client, id)) as never, "404/157");
    }
    expect(receiver.received).toHaveLength(before);
    const read = await other.client.get(`${ENDPOINTS}/${webhookEndpointId}`);
    expect(read.body.data.status).toBe("Enabled");
    expect(await listed(service.client)).not.toContain(webhookEndpointId);
    await other.client.call("DELETE", `${ENDPOINTS}/${webhookEndpointId}`);
  });
});

describe("a test delivery", () => {
  test("is signed and tells what came of it", async () => {
    const { webhookEndpointId, secret } = await create({ url: receiver.url });
    const answer = await service.client.post(`${ENDPOINTS}/${webhookEndpointId}/test`, undefined);
    expect(verdict(answer)).toBe("200/000");
    const message = receiver.received.at(-1);
    expect(verify(message, secret)).toMatchObject({
      eventId: answer.body.data.eventId,
      eventType: "webhook_endpoint.test",
      sequence: null,
      data: { webhookEndpointId },
    });
    expect(answer.body.data).toEqual({
      eventId: message?.headers["webhook-id"],
      webhookEndpointId,
      at: expect.stringMatching(TIMESTAMP),
      acknowledged: true,
      httpStatus: 200,
      durationMs: expect.any(Number),
    });
  });

  test("goes out once for a Reference, however often it is sent", async () => {
    const there = await Receiver.open();
    const { webhookEndpointId } = await create({ url: there.url, eventTypes: ["card.issued"] });
    const reference = newReference();
    const tryIt = () =>
      service.client.post(`${ENDPOINTS}/${webhookEndpointId}/test`, undefined, { reference });
    const answers = await Promise.all([tryIt(), tryIt(), tryIt()]);
    expect(answers.map(verdict).sort()).toEqual(["200/000", "400/139", "400/139"]);
    expect(verdict(await tryIt())).toBe("400/139");
    expect(there.received).toHaveLength(1);
    const outcome = await service.client.get(`/requests/${reference}`);
    expect(outcome.body.data).toMatchObject({
      state: "Succeeded",
      resourceId: there.received[0]?.headers["webhook-id"],
    });
    await there.goDown();
  });

  test("reaches a disabled endpoint too", async () => {
    const { webhookEndpointId } = await create({ url: receiver.url });
    await patch(service.client, webhookEndpointId, { status: "Disabled" });
    const { body } = await service.client.post(`${ENDPOINTS}/${webhookEndpointId}/test`, undefined);
    expect(body.data.acknowledged).toBe(true);
  });

  test.each<[string, string, object]>([
    ["an answer that is no 2xx", "500", { acknowledged: false, httpStatus: 500 }],
    [
      "a redirect",
      "302",
      { acknowledged: false, httpStatus: 302, error: "Redirects are not followed" },
    ],
    [
      "nobody there",
      "down",
      { acknowledged: false, httpStatus: null, error: "The connection was refused" },
    ],
  ])("says so when there is %s", async (_name, how, expected) => {
    const there = await Receiver.open();
    const { webhookEndpointId } = await create({ url: there.url });
    if (how === "down") await there.goDown();
    else {
      there.answerWith((response) =>
        response.writeHead(Number(how), { location: receiver.url }).end(),
      );
    }
    const answer = await service.client.post(`${ENDPOINTS}/${webhookEndpointId}/test`, undefined);
    expect(verdict(answer)).toBe("200/000");
    expect(answer.body.data).toMatchObject(expected);
    await there.goDown();
  });
});

describe("production", () => {
  let production: TestProduction;
  beforeAll(async () => {
    production = await startTestProduction();
  });
  afterAll(() => production.stop());

  async function createThere(url: string) {
    const target = `/api/v1${ENDPOINTS}`;
    const body = { url };
    const headers = await production.client.headers("POST", PUBLIC_API_URL + target, { body });
    return sendRaw(production.apiOrigin, {
      method: "POST",
      target,
      headers: [...Object.entries(headers), ["X-Forwarded-For", "203.0.113.9"]],
      body: JSON.stringify(body),
    });
  }

  test.each([
    "http://hooks.example.com/",
    "https://127.0.0.1/",
    "https://localhost/",
    "https://localhost./",
    "https://10.0.0.1/",
    "https://192.168.0.1:8443/",
    "https://[::1]/",
    "https://2130706433/",
    "https://0177.1/",
    "https://[::ffff:10.0.0.1]/",
    "https://[64:ff9b::a00:1]/",
    "https://169.254.169.254/",
    "https://100.64.0.1/",
  ])("refuses %s", async (url) => {
    const answer = await createThere(url);
    expectRefusal(answer, "400/131");
    expect(fieldsOf(answer)).toEqual(["url"]);
  });

  test("takes a public https address", async () => {
    expect(verdict(await createThere("https://hooks.example.com/florin"))).toBe("200/000");
    expect(verdict(await createThere("https://8.8.8.8/florin"))).toBe("200/000");
  });
});

test("no secret, and no URL, has reached a log line", async () => {
  const { webhookEndpointId, secret } = await create({ url: `${receiver.url}?key=s3cr3t-in-url` });
  const rotated = await service.client.post(
    `${ENDPOINTS}/${webhookEndpointId}/rotate-secret`,
    undefined,
  );
  await service.client.post(`${ENDPOINTS}/${webhookEndpointId}/test`, undefined);
  const all = lines.join("");
  expect(all).toContain(ENDPOINTS);
  for (const hidden of [secret, rotated.body.data.secret, "s3cr3t-in-url", "webhook-signature"]) {
    expect(all).not.toContain(hidden);
    expect(all).not.toContain(hidden.replace("whsec_", ""));
  }
});
