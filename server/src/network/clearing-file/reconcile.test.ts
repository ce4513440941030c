import { describe, expect, test } from "vitest";
import { networkReferenceOf } from "../../transactions/iso-name.ts";
import type { Transaction } from "../../transactions/transaction.ts";
import type { ClearingLine } from "./line.ts";
import {
  type Candidate,
  chooseForLine,
  type Outcome,
  outcomeAlone,
  outcomeOf,
} from "./reconcile.ts";

const name = {
  acquirer: "412345",
  retrieval: "603100000001",
  trace: "000001",
  transmitted: "0131120000",
};

const line = (change: Partial<ClearingLine> = {}): ClearingLine => ({
  number: 1,
  kind: "Settlement",
  pan: "4111111111111111",
  amountMinor: 20_00n,
  currency: "USD",
  acquirer: name.acquirer,
  retrievalReference: name.retrieval,
  retrieval: name.retrieval,
  isPartial: false,
  ...change,
});

/** A purchase of 20.00, and what has happened to it since. */
function candidate(
  change: Partial<Transaction> = {},
  { story = [], unconfirmed = [] }: { story?: [string, number][]; unconfirmed?: bigint[] } = {},
): Candidate {
  const events = [["Authorization", 20] as const, ...story].map(([requestType, amount]) => ({
    requestType,
    amount,
    responseCode: "000",
    at: "2026-01-31T12:00:00.000Z",
  }));
  const transaction = {
    type: "Authorization",
    approved: true,
    amountMinor: 20_00n,
    currency: "USD",
    heldMinor: 0n,
    networkReference: networkReferenceOf(name),
    events,
    ...change,
  } as Transaction;
  return { transaction, unconfirmed };
}

describe("a line is about", () => {
  const later = candidate({ networkReference: networkReferenceOf({ ...name, trace: "000002" }) });
  const done = candidate({}, { story: [["Settlement", 20]], unconfirmed: [20_00n] });
  const held = candidate({ heldMinor: 20_00n });
  const settled = candidate({ settledMinor: 20_00n, refundedMinor: 0n });
  const forced = candidate({ type: "Settlement" });
  const refund = { kind: "Refund" } as const;

  test.each<[string, Partial<ClearingLine>, Candidate[], number | undefined]>([
    ["the latest of several", {}, [later, candidate()], 0],
    ["the one that it names", name, [later, candidate()], 1],
    ["what a message has done, first", {}, [later, done], 1],
    ["what is held, before what is over", {}, [later, held], 1],
    ["what is settled, where it refunds", refund, [held, settled], 1],
    ["nothing that was declined", {}, [candidate({ approved: false })], undefined],
    ["nothing of another currency", {}, [candidate({ currency: "EUR" })], undefined],
    ["no force post", {}, [forced], undefined],
    ["a force post, where it refunds", refund, [forced], 0],
  ])("%s", (_what, change, candidates, index) => {
    const expected = index === undefined ? undefined : candidates[index];
    expect(chooseForLine(line(change), candidates)).toBe(expected);
  });
});

test.each<[string, Partial<ClearingLine>, Candidate, Outcome]>([
  ["all of it", {}, candidate(), "Matched"],
  ["less", { amountMinor: 19_99n }, candidate(), "AmountDiffers"],
  ["more", { amountMinor: 20_01n }, candidate(), "AmountDiffers"],
  ["a part", { amountMinor: 5_00n, isPartial: true }, candidate(), "Matched"],
  ["too large a part", { amountMinor: 20_01n, isPartial: true }, candidate(), "AmountDiffers"],
  [
    "all that was left of it",
    { amountMinor: 15_00n },
    candidate({}, { story: [["PartialReversal", 5]] }),
    "Matched",
  ],
  [
    "a refund of some of it",
    { kind: "Refund", amountMinor: 5_00n },
    candidate({}, { story: [["Settlement", 20]] }),
    "Matched",
  ],
  [
    "a refund of more than was settled",
    { kind: "Refund", amountMinor: 16_00n },
    candidate({}, { story: [["Settlement", 15]] }),
    "AmountDiffers",
  ],
  [
    "what a message told",
    { amountMinor: 7_00n },
    candidate({}, { story: [["Settlement", 7]], unconfirmed: [7_00n] }),
    "Matched",
  ],
  [
    "another amount than a message told",
    {},
    candidate({}, { story: [["Settlement", 7]], unconfirmed: [7_00n] }),
    "AmountDiffers",
  ],
])("%s: %o", (_what, change, about, expected) => {
  expect(outcomeOf(line(change), about, { isPosted: false })).toBe(expected);
});

test.each<[string, Candidate[], Outcome]>([
  ["nothing is known", [], "ForcePosted"],
  [
    "a message posted the same, and a file confirmed it",
    [candidate({ type: "Settlement" })],
    "AmountDiffers",
  ],
  [
    "a message has posted the same since, which no file has confirmed",
    [candidate({ type: "Settlement" }, { unconfirmed: [20_00n] })],
    "ForcePosted",
  ],
  ["a refund is known", [candidate({ type: "Refund" })], "ForcePosted"],
  [
    "the same is known in another currency",
    [candidate({ type: "Settlement", currency: "EUR" })],
    "ForcePosted",
  ],
])("a line posted on its own where %s", (_where, candidates, expected) => {
  expect(outcomeAlone(line(), candidates)).toBe(expected);
});
