import fc from "fast-check";
import { expect, test } from "vitest";
import type { CodeName } from "../foundation/codes.ts";
import { checks } from "./checks.ts";
import { evaluate } from "./decide.ts";
import type { Facts } from "./facts.ts";
import { describeDecision, packDecision, unpackFacts } from "./trace.ts";

/** A purchase of 50.00 that passes everything. */
const good: Facts = {
  status: "Active",
  isExpired: false,
  expiry: "Match",
  cvv: "Match",
  isContactless: false,
  contactlessPayment: false,
  hasMidWhitelist: false,
  midWhitelisted: false,
  midBlacklisted: false,
  midUnblocked: false,
  hasMccWhitelist: false,
  mccWhitelisted: false,
  mccBlacklisted: false,
  billingAmountMinor: 50_00n,
  transactionLimitMinor: null,
  dailyLimitMinor: null,
  spentTodayMinor: 0n,
  swipesLeft: null,
  availableMinor: 50_00n,
};

const decide = (change: Partial<Facts>): CodeName | undefined =>
  evaluate({ ...good, ...change }, () => 0).failed;

/** One way to fail each check, in the contract's order. */
const failures: [check: string, Partial<Facts>, CodeName][] = [
  ["status", { status: "Terminated" }, "CARD_CLOSED"],
  ["expired", { isExpired: true }, "CARD_EXPIRED"],
  ["expiry", { expiry: "Mismatch" }, "INVALID_CARD_EXPIRY_DATE"],
  ["cvv", { cvv: "Mismatch" }, "NO_VALID_CVV_VERIFICATION"],
  ["entryMode", { isContactless: true }, "TRANSACTION_NOT_PERMITTED"],
  ["merchant", { hasMidWhitelist: true }, "MID_NOT_ALLOWED"],
  ["mcc", { hasMccWhitelist: true }, "MCC_NOT_SUPPORTED"],
  ["currency", { billingAmountMinor: null }, "CURRENCY_NOT_SUPPORTED"],
  ["transactionLimit", { transactionLimitMinor: 49_99n }, "TRANSACTION_LIMIT_EXCEEDED"],
  ["dailyLimit", { dailyLimitMinor: 49_99n }, "TRANSACTION_LIMIT_EXCEEDED"],
  ["swipes", { swipesLeft: 0 }, "VELOCITY_LIMIT_EXCEEDED"],
  ["balance", { availableMinor: 49_99n }, "INSUFFICIENT_FUNDS"],
];

test("the checks are those of the contract, in its order", () => {
  expect(checks.map(({ name }) => name)).toEqual(failures.map(([name]) => name));
});

const pairs = failures.flatMap(([first, one, code], index) =>
  failures
    .slice(index)
    .map(([second, other]) => [first, second, { ...other, ...one }, code] as const),
);

test.each(pairs)("%s outranks %s", (_first, _second, facts, code) => {
  expect(decide(facts)).toBe(code);
});

test.each<[string, Partial<Facts>, CodeName | undefined]>([
  ["nothing wrong", {}, undefined],
  ["frozen", { status: "Frozen" }, "RESTRICTED_CARD"],
  ["no expiry shown", { expiry: "Absent" }, undefined],
  ["no CVV shown", { cvv: "Absent" }, undefined],
  ["contactless, allowed", { isContactless: true, contactlessPayment: true }, undefined],
  ["on the whitelist", { hasMidWhitelist: true, midWhitelisted: true }, undefined],
  // A whitelist dominates: it alone decides when there is one.
  [
    "on both lists",
    { hasMidWhitelist: true, midWhitelisted: true, midBlacklisted: true },
    undefined,
  ],
  [
    "unblocked, but not on the whitelist",
    { hasMidWhitelist: true, midBlacklisted: true, midUnblocked: true },
    "MID_NOT_ALLOWED",
  ],
  ["on the blacklist", { midBlacklisted: true }, "MERCHANT_BLACKLISTED"],
  ["on the blacklist, unblocked", { midBlacklisted: true, midUnblocked: true }, undefined],
  ["an allowed category", { hasMccWhitelist: true, mccWhitelisted: true }, undefined],
  [
    "a category on both lists",
    { hasMccWhitelist: true, mccWhitelisted: true, mccBlacklisted: true },
    undefined,
  ],
  ["a blocked category", { mccBlacklisted: true }, "MCC_NOT_SUPPORTED"],
  ["exactly the transaction limit", { transactionLimitMinor: 50_00n }, undefined],
  ["exactly the daily limit", { dailyLimitMinor: 80_00n, spentTodayMinor: 30_00n }, undefined],
  [
    "a cent above the daily limit",
    { dailyLimitMinor: 80_00n, spentTodayMinor: 30_01n },
    "TRANSACTION_LIMIT_EXCEEDED",
  ],
  ["the last swipe", { swipesLeft: 1 }, undefined],
  ["a verification on an empty card", { billingAmountMinor: 0n, availableMinor: 0n }, undefined],
  [
    "a verification below zero",
    { billingAmountMinor: 0n, availableMinor: -1n },
    "INSUFFICIENT_FUNDS",
  ],
])("%s", (_what, change, expected) => {
  expect(decide(change)).toBe(expected);
});

const minor = fc.bigInt(-(10n ** 20n), 10n ** 20n);
const shown = fc.constantFrom("Absent" as const, "Match" as const, "Mismatch" as const);
const anyFacts: fc.Arbitrary<Facts> = fc.record({
  status: fc.constantFrom("Active" as const, "Frozen" as const, "Terminated" as const),
  isExpired: fc.boolean(),
  expiry: shown,
  cvv: shown,
  isContactless: fc.boolean(),
  contactlessPayment: fc.boolean(),
  hasMidWhitelist: fc.boolean(),
  midWhitelisted: fc.boolean(),
  midBlacklisted: fc.boolean(),
  midUnblocked: fc.boolean(),
  hasMccWhitelist: fc.boolean(),
  mccWhitelisted: fc.boolean(),
  mccBlacklisted: fc.boolean(),
  billingAmountMinor: fc.option(minor),
  transactionLimitMinor: fc.option(minor),
  dailyLimitMinor: fc.option(minor),
  spentTodayMinor: minor,
  swipesLeft: fc.option(fc.nat()),
  availableMinor: minor,
});

test("facts come back from the store as they were, and are decided the same again", () => {
  fc.assert(
    fc.property(anyFacts, (facts) => {
      const first = evaluate(facts, () => 0);
      const stored = JSON.parse(JSON.stringify(packDecision("ServiceManaged", facts, first)));
      expect(unpackFacts(stored.facts)).toEqual(facts);
      expect(evaluate(unpackFacts(stored.facts), () => 0)).toEqual(first);
      const { trace } = describeDecision(stored);
      expect(trace.map(({ check }) => check)).toEqual(["card", ...failures.map(([name]) => name)]);
      expect(trace.filter(({ result }) => result === "Fail")).toHaveLength(
        first.failed === undefined ? 0 : 1,
      );
    }),
  );
});

test("what comes after the check that failed is skipped, and each check has its time", () => {
  let nowMs = 0;
  const evaluation = evaluate({ ...good, midBlacklisted: true }, () => (nowMs += 0.0015));
  const { trace } = describeDecision(packDecision("ServiceManaged", good, evaluation));
  expect(evaluation.results).toBe("PPPPPFSSSSSS");
  expect(trace[6]).toMatchObject({ check: "merchant", us: 1.5 });
  expect(trace[7]).toEqual({ check: "mcc", result: "Skipped", us: 0 });
});

test("a check of what the purchase does not show, or the card does not limit, is skipped", () => {
  const bare = evaluate({ ...good, expiry: "Absent", cvv: "Absent" }, () => 0);
  const { trace } = describeDecision(packDecision("ServiceManaged", good, bare));
  const skipped = trace.filter(({ result }) => result === "Skipped").map(({ check }) => check);
  expect(skipped).toEqual(["expiry", "cvv", "transactionLimit", "dailyLimit", "swipes"]);
  expect(bare.failed).toBeUndefined();
});
