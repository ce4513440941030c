import fc from "fast-check";
import { expect, test } from "vitest";
import { newClaim } from "../../test/harness/claims.ts";
import { type Claim, digestOf, judge, type Known } from "./claim.ts";

const HOUR_MS = 3_600_000;
const SUCCEEDED_AT = Date.parse("2026-01-01T00:00:00.000Z");

const claim = (body = "{}"): Claim =>
  newClaim("R", { digest: () => digestOf("POST", "/api/v1/x", Buffer.from(body)) });

const known = (change: Partial<Known>): Known => ({
  clientId: "cli_1",
  reference: "R",
  attempt: 1,
  state: "Succeeded",
  digest: null,
  completedAt: new Date(SUCCEEDED_AT),
  leaseLive: false,
  ...change,
});

const SEEN = "Reference value has already been seen in the last 24 hours";
const CHANGED = /payload/;
const UNDER_WAY = /in progress/;

test.each<[string, Partial<Known> | undefined, number, string | RegExp | undefined]>([
  ["a new Reference", undefined, 0, undefined],
  ["a success just now", {}, 0, SEEN],
  ["a success 23:59:59.999 ago", {}, 24 * HOUR_MS - 1, SEEN],
  ["a success 24 hours ago", {}, 24 * HOUR_MS, undefined],
  ["a failure of the same payload", { state: "Failed", digest: claim().digest() }, 0, undefined],
  ["a failure of another payload", { state: "Failed", digest: claim("{ }").digest() }, 0, CHANGED],
  [
    "a failure of another payload, 24 hours ago",
    { state: "Failed", digest: claim("{ }").digest() },
    24 * HOUR_MS,
    undefined,
  ],
  ["a reservation of a living process", { state: "InProgress", leaseLive: true }, 0, UNDER_WAY],
  [
    "a reservation of a living process, and a clock moved by 24 hours",
    { state: "InProgress", leaseLive: true },
    24 * HOUR_MS,
    UNDER_WAY,
  ],
  ["a reservation of a dead process", { state: "InProgress", leaseLive: false }, 0, undefined],
])("%s", (_what, before, ageMs, expected) => {
  const verdict = judge(claim(), before && known(before), SUCCEEDED_AT + ageMs);
  if (expected === undefined) expect(verdict).toBeUndefined();
  else {
    expect(verdict?.response).toMatchObject({ code: "139", httpStatus: 400 });
    expect(verdict?.message).toMatch(expected);
  }
});

test("the digest tells requests apart by method, target and body, to the byte", () => {
  const request = fc.record({
    method: fc.constantFrom("GET", "POST", "PATCH"),
    target: fc.constantFrom("/a", "/a?b=1", "/a?b=2", "/b"),
    body: fc.option(fc.constantFrom("", "{}", "{ }", '{"a":1}', '{"a":1.0}'), { nil: undefined }),
  });
  fc.assert(
    fc.property(request, request, (one, other) => {
      const digest = ({ method, target, body }: typeof one): string =>
        digestOf(method, target, body === undefined ? undefined : Buffer.from(body)).toString(
          "hex",
        );
      const isSame =
        one.method === other.method &&
        one.target === other.target &&
        (one.body ?? "") === (other.body ?? "");
      expect(digest(one) === digest(other)).toBe(isSame);
    }),
  );
});
