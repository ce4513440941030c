import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Core } from "../src/core.ts";
import { changeOrganization } from "../src/identity/organizations.ts";
import { verdict } from "./harness/answers.ts";
import { type ApiClient, newReference } from "./harness/api-client.ts";
import { until } from "./harness/eventually.ts";
import { foundOrganization, openOperator } from "./harness/operator.ts";
import { startTestProduction, type TestProduction } from "./harness/production.ts";
import { startTestService, type TestService } from "./harness/service.ts";

const PATH = "/settings/card-authorization";
const MANAGED = {
  model: "CustomerManaged",
  authorizationUrl: "http://127.0.0.1:9/authorizations",
  defaultAuthorizationDecision: "AutoDecline",
};
const NOTHING = {
  model: "ServiceManaged",
  authorizationUrl: null,
  defaultAuthorizationDecision: null,
};

const put = (client: ApiClient, body: unknown, reference = newReference()) =>
  client.call("PUT", PATH, { body, reference });
const read = async (client: ApiClient) => (await client.get(PATH)).body.data;

describe("in a sandbox", () => {
  let service: TestService;
  let other: TestService;
  let operator: Core;

  beforeAll(async () => {
    service = await startTestService();
    other = await startTestService({ FLORIN_DATABASE_URL: service.databaseUrl });
    operator = await openOperator(service);
  });
  afterAll(async () => {
    await operator.close();
    await other.stop();
    await service.stop();
  });

  const savedModel = async (): Promise<string> => {
    const { rows } = await operator.pool.query(
      `select model from card_authorization_settings join clients using (organization_id)
        where client_id = $1`,
      [service.sandbox.clientId],
    );
    return rows[0]?.model;
  };

  test("at first the service decides; each choice replaces the one before as a whole", async () => {
    const { client } = service;
    expect(await read(client)).toEqual(NOTHING);
    expect((await put(client, MANAGED)).body.data).toEqual(MANAGED);
    expect(await read(client)).toEqual(MANAGED);
    expect(verdict(await put(client, { model: "ServiceManaged" }))).toBe("200/000");
    expect(await read(client)).toEqual(NOTHING);
    const partly = { ...NOTHING, defaultAuthorizationDecision: "AutoApprove" };
    expect(verdict(await put(client, partly))).toBe("200/000");
    expect(await read(client)).toEqual(partly);
  });

  test("a Reference works once", async () => {
    const reference = newReference();
    expect(verdict(await put(service.client, NOTHING, reference))).toBe("200/000");
    expect(verdict(await put(service.client, NOTHING, reference))).toBe("400/139");
  });

  test.each<[string, unknown, string[]]>([
    ["nothing", {}, ["model"]],
    ["a model that there is not", { ...MANAGED, model: "Mine" }, ["model"]],
    [
      "no address and no default",
      { model: "CustomerManaged" },
      ["authorizationUrl", "defaultAuthorizationDecision"],
    ],
    ["no address", { ...MANAGED, authorizationUrl: null }, ["authorizationUrl"]],
    [
      "no default",
      { ...MANAGED, defaultAuthorizationDecision: null },
      ["defaultAuthorizationDecision"],
    ],
    [
      "a default that there is not",
      { ...MANAGED, defaultAuthorizationDecision: "Auto Approve" },
      ["defaultAuthorizationDecision"],
    ],
    ["no URL", { ...MANAGED, authorizationUrl: "somewhere" }, ["authorizationUrl"]],
    ["a number", { ...MANAGED, authorizationUrl: 4000 }, ["authorizationUrl"]],
    ["ftp", { ...MANAGED, authorizationUrl: "ftp://127.0.0.1/" }, ["authorizationUrl"]],
    ["a user", { ...MANAGED, authorizationUrl: "https://a:b@example.com/" }, ["authorizationUrl"]],
    [
      "a metadata server",
      { ...MANAGED, authorizationUrl: "http://169.254.169.254/" },
      ["authorizationUrl"],
    ],
    [
      "an address without end",
      { ...MANAGED, authorizationUrl: `https://example.com/${"a".repeat(2_048)}` },
      ["authorizationUrl"],
    ],
    [
      "a bad address for later",
      { ...NOTHING, authorizationUrl: "http://169.254.169.254/" },
      ["authorizationUrl"],
    ],
    ["a field too many", { ...MANAGED, timeoutMs: 1000 }, ["timeoutMs"]],
  ])("%s is refused, and nothing changes", async (_what, body, fields) => {
    const { client } = service;
    const before = await read(client);
    const answer = await put(client, body);
    expect(verdict(answer)).toBe("400/131");
    expect(answer.body.errors.map(({ field }: { field: string }) => field)).toEqual(fields);
    expect(await read(client)).toEqual(before);
  });

  test("who may not decide is told so, and may say that the service decides", async () => {
    const { client } = await foundOrganization(operator, service);
    expect(verdict(await put(client, MANAGED))).toBe("403/149");
    expect(verdict(await put(client, { model: "CustomerManaged" }))).toBe("403/149");
    expect(await read(client)).toEqual(NOTHING);
    expect(verdict(await put(client, { model: "ServiceManaged" }))).toBe("200/000");
  });

  test("the operator allows it and takes it back; each organization has its own", async () => {
    const { client, organizationId } = await foundOrganization(operator, service);
    const neighbour = await foundOrganization(operator, service, { customerManaged: true });
    await changeOrganization(operator, organizationId, { customerManaged: true });
    await until("it may decide", async () => verdict(await put(client, MANAGED)) === "200/000");
    expect(await read(neighbour.client)).toEqual(NOTHING);
    await changeOrganization(operator, organizationId, { customerManaged: false });
    await until("the service decides", async () => (await read(client)).model === "ServiceManaged");
    expect(await read(client)).toEqual({ ...MANAGED, model: "ServiceManaged" });
  });

  test("what one process has saved, another shows at once", async () => {
    for (const chosen of [MANAGED, NOTHING]) {
      // So that the other one knows what was there before.
      await read(other.client);
      const answer = put(service.client, chosen);
      await until("it is saved", async () => (await savedModel()) === chosen.model);
      expect(await read(other.client)).toEqual(chosen);
      expect(verdict(await answer)).toBe("200/000");
    }
  });
});

describe("in production", () => {
  let production: TestProduction;
  beforeAll(async () => {
    production = await startTestProduction();
  });
  afterAll(() => production.stop());

  test.each([
    ["http://example.com/authorizations"],
    ["https://127.0.0.1/authorizations"],
    ["https://10.0.0.1/authorizations"],
    ["https://[::1]/authorizations"],
  ])("%s is no place to be asked at", async (authorizationUrl) => {
    const { client, apiOrigin } = production;
    const target = "/api/v1/settings/card-authorization";
    const body = JSON.stringify({ model: "ServiceManaged", authorizationUrl });
    const headers = await client.headers("PUT", `${client.sandbox.apiUrl}${target}`, { body });
    const answer = await fetch(`${apiOrigin}${target}`, {
      method: "PUT",
      headers: { ...headers, "x-forwarded-proto": "https" },
      body,
    });
    expect(await answer.json()).toMatchObject({
      responseCode: "131",
      errors: [{ field: "authorizationUrl" }],
    });
  });
});
