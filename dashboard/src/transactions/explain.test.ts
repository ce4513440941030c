import type { RemoteDecision, Transaction } from "@florin/sdk";
import { expect, test } from "vitest";
import { explain } from "./explain.ts";

const declined = (responseCode: string, remote?: RemoteDecision): Transaction =>
  ({
    responseCode,
    responseMessage: "Some refusal",
    decision: { model: "CustomerManaged", trace: [], ...(remote === undefined ? {} : { remote }) },
  }) as unknown as Transaction;

test.each([
  "116",
  "119",
  "121",
  "124",
  "125",
  "127",
  "129",
  "130",
  "141",
  "142",
  "143",
  "186",
  "188",
])("code %s of the checks has an explanation of its own", (code) => {
  expect(explain(declined(code)).why).not.toBe("Some refusal.");
});

test("an unknown code says at least what the service said", () => {
  expect(explain(declined("999")).why).toBe("Some refusal.");
});

test.each([
  [{ durationMs: 400, timedOut: true, defaultUsed: true }, /400 ms/],
  [{ durationMs: 3, timedOut: false, defaultUsed: true, error: "HTTP 500" }, /HTTP 500/],
  [{ durationMs: 3, timedOut: false, defaultUsed: false }, /endpoint declined/],
])("a customer-managed decline %o", (remote, why) => {
  expect(explain(declined("176", remote)).why).toMatch(why);
});
