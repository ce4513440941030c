import { expect, test, vi } from "vitest";
import type { Fault } from "../../../test/harness/pretend-sumsub.ts";
import {
  answerBody,
  answerStatus,
  drip,
  hang,
  huge,
  reset,
  sendJson,
} from "../../../test/harness/sumsub-faults.ts";
import {
  business,
  bvn,
  kycToken,
  passport,
  serverForEachTest,
} from "../../../test/harness/sumsub-submissions.ts";
import { ProviderDown, ProviderSlow } from "../../customers/port.ts";
import type { Sumsub } from "./adapter.ts";

const theirs = serverForEachTest();

// Whatever happens on the way is ProviderDown or ProviderSlow, at every step.

const personal = JSON.stringify({
  description: `Applicant Ada Obi with 22222222222 is wrong: ${"x".repeat(50)}`,
  code: 400,
  errorCode: "1004",
  correlationId: "a b c",
});

const faults: [string, Fault, typeof ProviderDown | typeof ProviderSlow][] = [
  ["a connection that breaks", reset, ProviderDown],
  ["no answer", hang, ProviderSlow],
  ["an answer that never ends", drip, ProviderSlow],
  ["a huge answer", huge, ProviderDown],
  ["an HTML page", answerBody("<html>down for maintenance</html>"), ProviderDown],
  ["half an answer", answerBody('{"id":'), ProviderDown],
  ["an empty answer", answerBody(""), ProviderDown],
  ["another answer", answerBody('{"id":["a"],"checks":1,"reviewStatus":{}}'), ProviderDown],
  [
    "an id that leads elsewhere",
    answerBody('{"id":"../../x","checks":null,"reviewStatus":1}'),
    ProviderDown,
  ],
  ["400", answerStatus(400), ProviderDown],
  [
    "400 about a person",
    (_, response) => sendJson(response, 400, JSON.parse(personal)),
    ProviderDown,
  ],
  ["401", answerStatus(401), ProviderDown],
  ["403", answerStatus(403), ProviderDown],
  ["404", answerStatus(404), ProviderDown],
  ["429", answerStatus(429), ProviderDown],
  ["429 with a long Retry-After", answerStatus(429, { "retry-after": "60" }), ProviderDown],
  ["409 with a long Retry-After", answerStatus(409, { "retry-after": "60" }), ProviderDown],
  ["500", answerStatus(500), ProviderDown],
  ["502", answerStatus(502), ProviderDown],
  ["503 with Retry-After", answerStatus(503, { "retry-after": "60" }), ProviderDown],
  ["a redirect", answerStatus(302, { location: "http://127.0.0.1:9/" }), ProviderDown],
  ["a permanent redirect", answerStatus(308, { location: "/resources/applicants" }), ProviderDown],
];

const steps: [string, number, (provider: Sumsub) => Promise<unknown>][] = [
  ["opening an applicant", 0, (provider) => provider.submitDocument(passport)],
  ["uploading", 1, (provider) => provider.submitDocument(passport)],
  ["opening a company", 0, (provider) => provider.submitBusiness(business)],
  ["opening for a number", 0, (provider) => provider.verifyNumber(bvn)],
  ["looking a number up", 1, (provider) => provider.verifyNumber(bvn)],
  ["reading a look-up", 2, (provider) => provider.verifyNumber(bvn)],
  ["reading an outcome", 0, (provider) => provider.readOutcome("5cb56e8e0a975a35f333cb83")],
];

/** Nothing is read from the answer to an upload, so these are none the worse. */
const goodEnoughForAnUpload = ["an empty answer", "another answer", "an id that leads elsewhere"];

test.each(steps)(
  "whatever goes wrong while %s is a fault of the provider's",
  async (what, step, act) => {
    for (const [name, fault, expected] of faults) {
      if (what === "uploading" && goodEnoughForAnUpload.includes(name)) continue;
      theirs.server.applicants.length = 0;
      theirs.server.faults = [...Array<undefined>(step), ...Array<Fault>(20).fill(fault)];
      const spanMs = expected === ProviderSlow ? 100 : 20_000;
      const provider = theirs.adapter({
        deadlineMs: spanMs,
        submitDeadlineMs: spanMs,
        maxFaults: 100,
      });
      const error: unknown = await act(provider).then(
        (value) => `${name} gave ${JSON.stringify(value)}`,
        (thrown: unknown) => thrown,
      );
      expect(error, name).toBeInstanceOf(expected);
      const { message, stack, cause } = error as Error;
      const said = `${message} ${stack} ${cause instanceof Error ? cause.stack : cause}`;
      expect(said).not.toMatch(/Ada|22222222222|A01234567|pretend-secret|sbx:|maintenance/);
    }
  },
);

test("a redirect is not followed, so that no signed request goes elsewhere", async () => {
  theirs.server.faults = [answerStatus(307, { location: "/elsewhere" })];
  await expect(theirs.adapter().readOutcome("abc")).rejects.toThrow("Sumsub answered 307");
  expect(theirs.server.calls).toEqual(["GET /resources/applicants/abc/status"]);
});

test("nobody there is a fault of the provider's", async () => {
  const provider = theirs.adapter({ baseUrl: "http://127.0.0.1:1" });
  await expect(provider.submitDocument(passport)).rejects.toBeInstanceOf(ProviderDown);
  await expect(provider.verifyNumber(bvn)).rejects.toBeInstanceOf(ProviderDown);
});

test("a name that leads nowhere is a fault of the provider's", async () => {
  const provider = theirs.adapter({ baseUrl: "http://sumsub.invalid" });
  await expect(provider.readOutcome("abc")).rejects.toBeInstanceOf(ProviderDown);
});

test.each([
  ["another secret", { secretKey: "wrong" }],
  ["another token", { appToken: "wrong" }],
  ["a clock that is wrong", { nowMs: () => Date.now() - 120_000 }],
  ["a level that is not there", { levelNames: { number: "x", document: "x", business: "x" } }],
])("%s is found out at once, and is no rejection", async (_, change) => {
  await expect(theirs.adapter(change).submitDocument(passport)).rejects.toBeInstanceOf(
    ProviderDown,
  );
  expect(theirs.server.calls).toHaveLength(1);
});

test.each([
  ["a broken connection", reset],
  ["500", answerStatus(500)],
  ["429 with Retry-After", answerStatus(429, { "retry-after": "0" })],
  ["409 with Retry-After", answerStatus(409, { "retry-after": "0" })],
  ["an HTML page", answerBody("<html>")],
])("%s twice in a row is made good by a third attempt", async (_, fault) => {
  theirs.server.faults = [fault, fault];
  await theirs.adapter().submitBusiness(business);
  expect(theirs.server.applicant(kycToken).reviewStatus).toBe("pending");
  expect(theirs.server.calls).toHaveLength(4);
});

test("the deadline is for the whole, and a caller may end it sooner", async () => {
  theirs.server.faults = Array<Fault>(20).fill(hang);
  const impatient = AbortSignal.timeout(50);
  const provider = theirs.adapter({ deadlineMs: 600_000, attemptTimeoutMs: 600_000 });
  await expect(provider.verifyNumber({ ...bvn, signal: impatient })).rejects.toBeInstanceOf(
    ProviderSlow,
  );
  await expect(provider.readOutcome("abc", AbortSignal.abort())).rejects.toBeInstanceOf(
    ProviderSlow,
  );
});

test("attempts that hang are given up and repeated within the deadline", async () => {
  const attemptTimeoutMs = 1_000;
  // Time passes only while they hang, so that no good attempt can take too long.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const hangTooLong: Fault = () => void vi.advanceTimersByTime(attemptTimeoutMs);
  theirs.server.faults = [hangTooLong, hangTooLong];
  try {
    await theirs.adapter({ attemptTimeoutMs }).submitBusiness(business);
  } finally {
    vi.useRealTimers();
  }
  expect(theirs.server.calls).toHaveLength(4);
  expect(theirs.server.applicant(kycToken).reviewStatus).toBe("pending");
});

test("a provider that keeps failing is left alone, until it answers a probe", async () => {
  theirs.server.faults = Array<Fault>(4).fill(answerStatus(503));
  const time = { ms: 0 };
  const monotonicMs = () => time.ms;
  const provider = theirs.adapter({ maxFaults: 4, openMs: 100, maxAttempts: 2, monotonicMs });
  const read = () => provider.readOutcome("5cb56e8e0a975a35f333cb83");
  await expect(read()).rejects.toThrow("Sumsub answered 503");
  await expect(read()).rejects.toThrow("Sumsub answered 503");
  expect(theirs.server.calls).toHaveLength(4);
  time.ms = 99;
  await expect(read()).rejects.toThrow("Sumsub failed too often of late");
  expect(theirs.server.calls).toHaveLength(4);
  time.ms = 100;
  // The server is well again and says that there is no such applicant.
  await expect(read()).rejects.toThrow("Sumsub answered review status with 404");
  await expect(read()).rejects.toThrow("Sumsub answered review status with 404");
  expect(theirs.server.calls).toHaveLength(6);
});

test("callers who hang up do not speak against the provider", async () => {
  const provider = theirs.adapter({ maxFaults: 1 });
  theirs.server.faults = [hang];
  const controller = new AbortController();
  const asked = provider.readOutcome("5cb56e8e0a975a35f333cb83", controller.signal);
  await vi.waitUntil(() => theirs.server.calls.length === 1);
  controller.abort();
  await expect(asked).rejects.toBeInstanceOf(ProviderSlow);
  await expect(provider.submitBusiness(business)).resolves.toHaveProperty("providerId");
});

test.each([
  [0, 60_000],
  [1, 120_000],
  [6, 3_600_000],
  [5_000, 3_600_000],
])("after %i questions it is asked again in %i ms", (questions, waitMs) => {
  expect(theirs.adapter().pollAfterMs(questions)).toBe(waitMs);
});
