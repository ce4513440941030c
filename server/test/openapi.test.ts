import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AllDeps, createApi } from "../src/api.ts";
import { readConfig } from "../src/foundation/config/config.ts";
import { listenerOptions } from "../src/http/listener.ts";
import { Metrics } from "../src/http/metrics.ts";
import { readJson } from "./harness/answers.ts";
import { type ApiAnswer, newReference } from "./harness/api-client.ts";
import { startTestService, type TestService } from "./harness/service.ts";

interface Operation {
  summary?: string;
  tags?: string[];
  requestBody?: { required?: boolean; content: Record<string, unknown> };
  responses: Record<string, unknown>;
  security?: unknown[];
}

const mayBeLeftOut = new Set([
  "/cards/{cardId}/freeze",
  "/cards/{cardId}/unfreeze",
  "/cards/{cardId}/cross-border-charges/reprocess",
  "/cards/{cardId}/terminate",
  "/cards/{cardId}/regularize",
  "/webhook-endpoints/{webhookEndpointId}/rotate-secret",
  "/webhook-endpoints/{webhookEndpointId}/test",
  "/events/{eventId}/resend",
  "/simulator/transactions/{transactionId}/settle",
  "/simulator/transactions/{transactionId}/reverse",
  "/simulator/transactions/{transactionId}/refund",
]);

let service: TestService;
// biome-ignore lint/suspicious/noExplicitAny: what it holds is what is tested.
let document: any;
beforeAll(async () => {
  service = await startTestService();
  document = await readJson(`${service.sandbox.apiUrl}/openapi.json`);
});
afterAll(() => service.stop());

const operations = (): [route: string, operation: Operation][] =>
  Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) =>
        [`${method.toUpperCase()} ${path}`, operation] as [string, Operation],
    ),
  );

const contentOf = (responses: Operation["responses"]): object =>
  (responses["200"] as { content: object }).content;

describe("the document", () => {
  test("is OpenAPI 3.1 of this service", () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
    expect(document.servers).toEqual([{ url: service.sandbox.apiUrl }]);
  });

  test("is served as JSON to anyone", async () => {
    const answer = await fetch(`${service.sandbox.apiUrl}/openapi.json`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toMatch(/^application\/json\b/);
  });

  test("has every route of the contract that exists so far", () => {
    expect(operations().map(([route]) => route)).toEqual(
      expect.arrayContaining([
        "GET /api/v1/wallets",
        "GET /api/v1/requests/{reference}",
        "POST /api/v1/simulator/wallets/deposits",
        "POST /api/v1/simulator/clock/advance",
      ]),
    );
  });

  test("has every route under /api/v1 that there is, and no other", async () => {
    const documented = operations().map(([route]) => route);
    expect(documented.sort()).toEqual((await registeredRoutes()).sort());
  });

  test("has no schema that nothing refers to", () => {
    const text = JSON.stringify(document);
    const unused = Object.keys(document.components.schemas).filter(
      (name) => !text.includes(`"#/components/schemas/${name}"`),
    );
    expect(unused).toEqual([]);
  });

  test("names the files that lists can be had as, and how long to wait after a refusal", () => {
    const files = operations().filter(([, { responses }]) => "text/csv" in contentOf(responses));
    expect(files.map(([route]) => route)).toEqual([
      "GET /api/v1/wallets/{walletId}/entries",
      "GET /api/v1/transactions",
    ]);
    for (const [route, { responses }] of operations()) {
      expect(responses.default, route).toMatchObject({ headers: { "Retry-After": {} } });
    }
  });

  test("describes each operation: what it does, what it takes, how it fails, how to be let in", () => {
    const schemes = Object.keys(document.components.securitySchemes);
    expect(schemes).toHaveLength(5);
    for (const [route, operation] of operations()) {
      expect(operation.summary, route).toEqual(expect.stringMatching(/./));
      expect(operation.tags, route).toHaveLength(1);
      expect(Object.keys(operation.responses), route).toEqual(
        expect.arrayContaining(["200", "default"]),
      );
      const [all] = operation.security ?? document.security;
      expect(Object.keys(all).sort(), route).toEqual([...schemes].sort());
      if (route.startsWith("POST")) {
        expect(operation.requestBody, route).toMatchObject({
          required: !mayBeLeftOut.has(route.replace("POST /api/v1", "")),
          content: { "application/json": {} },
        });
      }
    }
  });

  test("has no reference that leads nowhere", () => {
    const references = JSON.stringify(document).match(/"\$ref":"[^"]+"/g) ?? [];
    for (const reference of new Set(references)) {
      const path = reference.slice('"$ref":"#/'.length, -1).split("/");
      const found = path.reduce((at, step) => at?.[step], document);
      expect(found, reference).toBeDefined();
    }
  });
});

/** The routes as the server's own router knows them; nothing on the wire would list them all. */
async function registeredRoutes(): Promise<string[]> {
  const config = readConfig({});
  const unused = { config, metrics: new Metrics(), addresses: {} };
  const listener = listenerOptions(config);
  const api = createApi({ ...unused, listener } as unknown as AllDeps);
  const routes: string[] = [];
  api.addHook("onRoute", ({ method, url }) => {
    const path = url.replace(/:(\w+)/g, "{$1}");
    for (const each of [method].flat()) routes.push(`${each} ${path}`);
  });
  await api.ready();
  await api.close();
  return routes.filter((route) => route.includes(" /api/v1"));
}

describe("live answers are as documented:", () => {
  const DEPOSITS = "/simulator/wallets/deposits";
  const deposit = { currency: "USD", amount: 1.5 };
  const known = newReference();

  const calls: [name: string, method: string, route: string, () => Promise<ApiAnswer>][] = [
    ["wallets", "get", "/wallets", () => service.client.get("/wallets")],
    ["a deposit", "post", DEPOSITS, () => service.client.post(DEPOSITS, deposit)],
    [
      "a clock moved",
      "post",
      "/simulator/clock/advance",
      () => service.client.post("/simulator/clock/advance", { seconds: 1 }),
    ],
    [
      "a request that succeeded",
      "get",
      "/requests/{reference}",
      async () => {
        await service.client.post(DEPOSITS, deposit, { reference: known });
        return service.client.get(`/requests/${known}`);
      },
    ],
    [
      "a request that failed",
      "get",
      "/requests/{reference}",
      async () => {
        const reference = newReference();
        await service.client.get("/nowhere", { reference });
        return service.client.get(`/requests/${reference}`);
      },
    ],
    [
      "a request that nobody knows",
      "get",
      "/requests/{reference}",
      () => service.client.get("/requests/unknown"),
    ],
    ["a wrong body", "post", DEPOSITS, () => service.client.post(DEPOSITS, { x: 1 })],
    [
      "a wrong amount",
      "post",
      DEPOSITS,
      () => service.client.post(DEPOSITS, { ...deposit, amount: 0 }),
    ],
    [
      "a used-up Reference",
      "post",
      DEPOSITS,
      () => service.client.post(DEPOSITS, deposit, { reference: known }),
    ],
    [
      "a wrong token",
      "get",
      "/wallets",
      () => service.client.get("/wallets", { headers: { Authorization: "Bearer x" } }),
    ],
    [
      "a wrong signature",
      "get",
      "/wallets",
      () => service.client.get("/wallets", { headers: { Signature: "x" } }),
    ],
  ];

  test.each(calls)("%s", async (_name, method, route, call) => {
    const { status, body } = await call();
    const operation = `/paths/${escapePointer(`/api/v1${route}`)}/${method}`;
    const validate = schemaAt(`${operation}/responses/${status === 200 ? "200" : "default"}`);
    expect(validate(body), JSON.stringify(validate.errors)).toBe(true);
  });

  test("and a schema would notice if they were not", () => {
    const validate = schemaAt("/paths/~1api~1v1~1wallets/get/responses/200");
    const good = {
      responseCode: "000",
      responseMessage: "Success",
      finality: "TerminalSuccess",
      requestId: "req_x",
      data: [],
    };
    expect(validate(good)).toBe(true);
    for (const bad of [
      { ...good, responseCode: "131" },
      { ...good, surprise: 1 },
      { ...good, data: {} },
      { ...good, data: [{ walletId: "wal_1" }] },
      { ...good, requestId: undefined },
    ]) {
      expect(validate(JSON.parse(JSON.stringify(bad)))).toBe(false);
    }
  });

  test("what the schema of a body refuses, the service refuses, and the reverse", async () => {
    const validate = schemaAt(`/paths/${escapePointer(`/api/v1${DEPOSITS}`)}/post/requestBody`);
    for (const [body, isGood] of [
      [deposit, true],
      [{ currency: "USD" }, false],
      [{ amount: 1 }, false],
      [{ ...deposit, amount: "1.5" }, false],
      [{ ...deposit, currency: "usd" }, false],
      [{ ...deposit, currency: 840 }, false],
      [{ ...deposit, more: 1 }, false],
      [[], false],
    ] as const) {
      const { status } = await service.client.post(DEPOSITS, body);
      expect([validate(body), status === 200], JSON.stringify(body)).toEqual([isGood, isGood]);
    }
  });

  function schemaAt(place: string) {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(document, "florin");
    return ajv.compile({ $ref: `florin#${place}/content/application~1json/schema` });
  }
  const escapePointer = (text: string): string =>
    encodeURIComponent(text.replaceAll("~", "~0").replaceAll("/", "~1"));
});
