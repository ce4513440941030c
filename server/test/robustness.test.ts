import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectEnvelope } from "./harness/answers.ts";
import { type ApiAnswer, newReference } from "./harness/api-client.ts";
import { sendRaw, sendSigned } from "./harness/raw-http.ts";
import { startTestService, type TestService } from "./harness/service.ts";

const DEPOSITS = "/simulator/wallets/deposits";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** Of the statuses of the contract, those that a request can bring about by itself. */
const CLIENT_STATUSES = [200, 400, 401, 403, 404, 422, 429];

const method = fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND");

/** Printable, so that it is a target at all. */
const visible = (maxLength: number) =>
  fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map(String.fromCharCode), maxLength });

const segment = fc.oneof(
  fc.constantFrom("wallets", "requests", "simulator", "deposits", "clock", "cards", "..", ""),
  fc.constantFrom("%00", "%zz", "%2F", "%C0%AF", "__proto__", "constructor", ":reference", "*"),
  visible(12),
);
const query = fc.oneof(
  fc.constant(""),
  fc.constantFrom("?", "?limit=0", "?cursor=%00", "?limit=1&limit=2", "?%zz=%zz"),
  visible(20).map((text) => `?${text}`),
);
const path = fc.oneof(
  fc.constantFrom("/wallets", DEPOSITS, "/requests/x"),
  fc
    .tuple(fc.array(segment, { maxLength: 4 }), query)
    .map(([segments, rest]) => `/${segments.join("/")}${rest}`),
);

const odd = fc.constantFrom(
  "-0",
  "1e400",
  "1e-400",
  "0.1",
  "1e3",
  "12345678901234567890",
  '"\\u0000"',
  '"USD"',
  "null",
  '{"__proto__":null}',
);
const almostDeposit = fc
  .record({
    currency: fc.oneof(fc.constantFrom('"USD"', '"JPY"', '"usd"'), odd),
    amount: fc.oneof(
      fc.double({ min: -1, max: 20_000_000 }).map((n) => JSON.stringify(n)),
      fc.integer({ min: 1, max: 100_000 }).map((cents) => String(cents / 100)),
      odd,
    ),
    more: fc.oneof({ weight: 4, arbitrary: fc.constant("") }, fc.constant(',"x":1')),
  })
  .map(({ currency, amount, more }) => `{"currency":${currency},"amount":${amount}${more}}`);
const body = fc.oneof(
  almostDeposit,
  fc.json(),
  fc.string({ unit: "binary" }),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

/** Values that survive on a header line; what does not is tested as bytes that are not HTTP. */
const headerValue = fc
  .string({ unit: fc.integer({ min: 0x20, max: 0xff }).map(String.fromCharCode), maxLength: 60 })
  .filter((text) => !text.includes("\x7f"));
const header = fc.tuple(
  fc.constantFrom(
    "Authorization",
    "ServiceAuthorization",
    "UniqueKey",
    "Reference",
    "Signature",
    "Content-Type",
    "Accept",
    "Accept-Encoding",
    "Cookie",
    "Origin",
    "Range",
    "If-None-Match",
    "X-Forwarded-For",
    "X-HTTP-Method-Override",
  ),
  headerValue,
);

const amounts = async (): Promise<Map<string, number>> => {
  const { data } = (await service.client.get("/wallets")).body;
  const wallets: { currency: string; balance: number }[] = data;
  return new Map(wallets.map((wallet) => [wallet.currency, wallet.balance]));
};

/** What the wallets hold, from one answer to the next: nobody else moves money here. */
let held: Map<string, number>;
beforeAll(async () => {
  held = await amounts();
});

/** Holds for every answer: its shape, its status, and that money moves with a success only. */
async function expectSoundAnswer(send: () => Promise<ApiAnswer>): Promise<void> {
  const answer = await send();
  expect(CLIENT_STATUSES).toContain(answer.status);
  expectEnvelope(answer);
  const before = held;
  held = await amounts();
  if (answer.status !== 200) expect(held).toEqual(before);
}

test("an authenticated client gets a sound answer to whatever it sends", async () => {
  const property = fc.asyncProperty(method, path, body, async (verb, target, content) => {
    await expectSoundAnswer(() =>
      sendSigned(service.client, verb, target, { reference: newReference(), body: content }),
    );
  });
  await fc.assert(property, { numRuns: 200 });
});

test("an authenticated client gets a sound answer whatever its other headers say", async () => {
  const property = fc.asyncProperty(
    fc.array(header, { maxLength: 4 }),
    body,
    async (extra, content) => {
      await expectSoundAnswer(() =>
        sendSigned(service.client, "POST", DEPOSITS, {
          body: content,
          change: (lines) => [...lines, ...extra],
        }),
      );
    },
  );
  await fc.assert(property, { numRuns: 100 });
});

test("a stranger is told nothing but that he is one", async () => {
  const headers = fc.array(header, { maxLength: 8 });
  const property = fc.asyncProperty(
    method,
    path,
    headers,
    body,
    async (verb, target, lines, content) => {
      const answer = await sendRaw(service.sandbox.apiUrl, {
        method: verb,
        target: `/api/v1${target}`,
        headers: lines,
        body: content,
      });
      expect(answer.status).toBe(401);
      expect(answer.body.responseCode).toBe("146");
      expectEnvelope(answer);
    },
  );
  await fc.assert(property, { numRuns: 200 });
});

test("the token server answers in its own form, whatever it is sent", async () => {
  const { identityUrl } = service.sandbox;
  const form = fc.oneof(
    fc.webQueryParameters(),
    fc.constantFrom("grant_type=client_credentials", "grant_type=%00&scope=%00"),
    fc.string({ unit: "binary" }),
  );
  const credentials = fc.oneof(
    fc
      .tuple(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }))
      .map(([id, secret]) => Buffer.from(`${id}:${secret}`).toString("base64")),
    headerValue,
  );
  const contentType = fc.constantFrom("application/x-www-form-urlencoded", "text/plain", "%");
  const property = fc.asyncProperty(
    fc.constantFrom("POST", "POST", "GET", "PUT", "DELETE"),
    credentials,
    contentType,
    form,
    async (verb, secret, type, content) => {
      const answer = await sendRaw(identityUrl, {
        method: verb,
        target: "/connect/token",
        headers: [
          ["Authorization", `Basic ${secret}`],
          ["Content-Type", type],
        ],
        body: content,
      });
      expect([400, 401, 405, 429]).toContain(answer.status);
      expect(answer.body).toStrictEqual({
        error: expect.any(String),
        error_description: expect.any(String),
      });
    },
  );
  await fc.assert(property, { numRuns: 200 });
});
