import { AuthenticationError, PermissionError } from "@florin/sdk";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  caught,
  fail,
  giveToken,
  hangUp,
  type Line,
  Scripted,
  say,
  succeed,
} from "./harness/scripted.ts";

let server: Scripted;
beforeEach(async () => {
  server = await Scripted.start();
});
afterEach(() => server.stop());

const freeze = (client = server.client()) => client.cards.freeze("card_1");

test("a token is fetched once for all who need it", async () => {
  server.says(succeed({}));
  const client = server.client({ scope: "CardAPIs" });
  await Promise.all([1, 2, 3].map(() => freeze(client)));
  await freeze(client);
  expect(server.tokenRequests).toEqual(["grant_type=client_credentials&scope=CardAPIs"]);
});

test("a token is renewed when it is about to expire", async () => {
  server.says(succeed({}));
  server.token = giveToken("brief", 0);
  const client = server.client();
  await freeze(client);
  await freeze(client);
  expect(server.tokenRequests).toHaveLength(2);
});

test("a token is renewed a minute before it expires", async () => {
  server.says(succeed({}));
  const client = server.client();
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    const startedMs = Date.now();
    await freeze(client);
    vi.setSystemTime(startedMs + 3_530_000);
    await freeze(client);
    expect(server.tokenRequests).toHaveLength(1);
    vi.setSystemTime(startedMs + 3_550_000);
    await freeze(client);
    expect(server.tokenRequests).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});

test("a token is not asked for elsewhere, where the credentials would go with it", async () => {
  server.token = say(307, "", { location: "/elsewhere" });
  expect(await caught(freeze())).toMatchObject({ httpStatus: 307 });
  expect(server.calls).toEqual([]);
});

test("a token is renewed once for all when the service does not take it", async () => {
  const client = server.client();
  let given = 0;
  server.token = (response, seen) => {
    given += 1;
    giveToken(`token-${given}`)(response, seen);
  };
  server.says((response, seen) => {
    const isGood = seen.authorization === "Bearer token-2";
    (isGood ? succeed({}) : fail(401, "146"))(response, seen);
  });
  await Promise.all([1, 2, 3].map(() => freeze(client)));
  expect(given).toBe(2);
  const [first] = server.calls;
  const same = server.calls.filter(({ reference }) => reference === first?.reference);
  expect(same).toHaveLength(2);
});

test("a token is renewed only once for one call", async () => {
  server.says(fail(401, "146"));
  expect(await caught(freeze())).toBeInstanceOf(AuthenticationError);
  expect(server.calls).toHaveLength(2);
});

test("a token that is refused ends the call", async () => {
  server.token = say(401, { error: "invalid_client", error_description: "It is wrong." });
  const error = await caught(freeze());
  expect(error).toBeInstanceOf(AuthenticationError);
  expect(error.message).toBe("No token was given (401 invalid_client): It is wrong.");
  expect(server.tokenRequests).toHaveLength(1);
});

test("a client that is disabled has no permission, with a token and without one", async () => {
  const client = server.client();
  server.says(succeed({}));
  await freeze(client);
  server.says(fail(403, "115"));
  expect(await caught(freeze(client))).toBeInstanceOf(PermissionError);
  server.token = say(403, { error: "unauthorized_client", error_description: "It is disabled." });
  const error = await caught(freeze());
  expect(error).toBeInstanceOf(PermissionError);
  expect(error.message).toBe("No token was given (403 unauthorized_client): It is disabled.");
  expect(server.tokenRequests).toHaveLength(2);
});

test.each<[string, Line]>([
  ["is busy", say(429, {}, { "retry-after": "0" })],
  ["is down", say(503, {})],
  ["hangs up", hangUp],
  ["talks nonsense", say(200, "hello")],
  ["gives what no header can hold", say(200, { access_token: "a\nb", expires_in: 60 })],
])("a token is asked for again when its server %s", async (_what, line) => {
  const give = server.token;
  server.token = (response, seen) => {
    server.token = give;
    line(response, seen);
  };
  server.says(succeed({}));
  expect(await freeze()).toEqual({});
});
