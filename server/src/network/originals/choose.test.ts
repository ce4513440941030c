import { describe, expect, test } from "vitest";
import { networkReferenceOf } from "../../transactions/iso-name.ts";
import { chooseOriginal, type OriginalMessage, type Wanted } from "./choose.ts";
import type { Candidate } from "./store.ts";

const name = {
  acquirer: "0412345",
  retrieval: "603100000001",
  trace: "000001",
  transmitted: "0131120000",
};

function payment(transactionId: string, change: Partial<Candidate> = {}): Candidate {
  return {
    organizationId: "org_1",
    transactionId,
    cardId: "card_1",
    accountId: "acc_1",
    type: "Authorization",
    amountMinor: 100n,
    currency: "USD",
    billingAmountMinor: 100n,
    billingCurrency: "USD",
    billingRate: null,
    merchantCountry: "US",
    networkReference: networkReferenceOf(name),
    approved: true,
    heldMinor: 100n,
    settledMinor: 0n,
    refundedMinor: 0n,
    ...change,
  };
}

const named: OriginalMessage = {
  mti: "0100",
  trace: "000001",
  transmitted: "0131120000",
  acquirer: "00000412345",
};
const others = { ...named, trace: "000002" };
const untold: OriginalMessage = {
  mti: "0000",
  trace: "000000",
  transmitted: "0000000000",
  acquirer: "0".repeat(11),
};

test.each<[string, Partial<Wanted>, Partial<Candidate>, boolean]>([
  ["by name", { original: named }, {}, true],
  ["by name, whoever brought it", { original: { ...named, acquirer: "0".repeat(11) } }, {}, true],
  ["by DE 37 alone", { original: undefined }, {}, true],
  ["by DE 37 where nothing is told", { original: untold }, {}, true],
  [
    "by DE 37 where the time is not told",
    { original: { ...others, transmitted: "0".repeat(10) } },
    {},
    true,
  ],
  [
    "a reversal by DE 37 where the time is not told",
    { kind: "Reversal", original: { ...others, transmitted: "0".repeat(10) } },
    {},
    true,
  ],
  ["a settlement by DE 37, failing a name", { original: others }, {}, true],
  ["a refund by DE 37, failing a name", { kind: "Refund", original: others }, {}, true],
  ["a reversal by name", { kind: "Reversal", original: named }, {}, true],
  ["no reversal by DE 37, failing a name", { kind: "Reversal", original: others }, {}, false],
  [
    "no reversal of another acquirer's",
    { kind: "Reversal", original: { ...named, acquirer: "00000000007" } },
    {},
    false,
  ],
  ["a reversal by DE 37", { kind: "Reversal" }, {}, true],
  ["a reversal of what was declined", { kind: "Reversal" }, { approved: false }, true],
  ["a reversal of a refund", { kind: "Reversal" }, { type: "Refund" }, true],
  ["no settlement of what was declined", {}, { approved: false }, false],
  ["no settlement of another currency", {}, { currency: "EUR" }, false],
  ["a settlement of a cash withdrawal", {}, { type: "CashWithdrawal" }, true],
  ["a settlement of a pre-authorization", {}, { type: "PreAuthorization" }, true],
  ["no settlement of a force post", {}, { type: "Settlement" }, false],
  ["a refund of a force post", { kind: "Refund" }, { type: "Settlement" }, true],
  ["no refund of a refund", { kind: "Refund" }, { type: "Refund" }, false],
  ["no refund of another currency", { kind: "Refund" }, { currency: "EUR" }, false],
])("%s", (_what, wanted, change, isFound) => {
  const found = payment("txn_1", change);
  const isByTrace = wanted.original?.trace === name.trace;
  const original = chooseOriginal(
    { acquirer: "412345", kind: "Settlement", currency: "USD", original: undefined, ...wanted },
    { byTrace: isByTrace ? [found] : [], byRetrieval: [found] },
  );
  expect(original?.transactionId).toBe(isFound ? "txn_1" : undefined);
});

test("of several the named one, else the latest", () => {
  const older = payment("txn_1");
  const newer = payment("txn_2", {
    networkReference: networkReferenceOf({ ...name, trace: "000009" }),
  });
  const found = { byTrace: [older], byRetrieval: [newer, older] };
  const wanted = { acquirer: "412345", kind: "Settlement", currency: "USD" } as const;
  expect(chooseOriginal({ ...wanted, original: named }, found)).toBe(older);
  expect(chooseOriginal({ ...wanted, original: undefined }, found)).toBe(newer);
});

const held = payment("txn_held");
const over = payment("txn_over", { heldMinor: 0n });
const declined = payment("txn_declined", { approved: false, heldMinor: 0n });
const settled = payment("txn_settled", { heldMinor: 0n, settledMinor: 100n });
const givenBack = payment("txn_given_back", {
  heldMinor: 0n,
  settledMinor: 100n,
  refundedMinor: 100n,
});

test.each<[string, Partial<Wanted>, Candidate[], Candidate]>([
  ["a reversal means what is held, not a later decline", {}, [declined, held], held],
  ["a reversal means what is held, not what was reversed since", {}, [over, held], held],
  ["a reversal means what is settled, if nothing is held", {}, [givenBack, settled], settled],
  ["a reversal means an approval, if nothing is held", {}, [declined, over], over],
  ["a reversal means a decline, if there is nothing else", {}, [declined], declined],
  ["a settlement means what is held", { kind: "Settlement" }, [over, settled, held], held],
  [
    "a settlement means the latest, if nothing is held",
    { kind: "Settlement" },
    [over, settled],
    over,
  ],
  ["a refund means what is settled", { kind: "Refund" }, [held, givenBack, settled], settled],
  ["a refund means the latest, if all is given back", { kind: "Refund" }, [held, givenBack], held],
])("of several with one DE 37, %s", (_what, wanted, byRetrieval, expected) => {
  const chosen = chooseOriginal(
    { acquirer: "412345", kind: "Reversal", currency: "USD", original: undefined, ...wanted },
    { byTrace: [], byRetrieval },
  );
  expect(chosen?.transactionId).toBe(expected.transactionId);
});

describe("of two acquirers' payments with one DE 37", () => {
  const others = payment("txn_others", {
    networkReference: networkReferenceOf({ ...name, acquirer: "777777" }),
  });
  const own = payment("txn_own", { heldMinor: 0n });
  const chosenFor = (acquirer: string, byRetrieval: Candidate[]) =>
    chooseOriginal(
      { acquirer, kind: "Settlement", currency: "USD", original: undefined },
      { byTrace: [], byRetrieval },
    );

  test.each(["412345", "0412345", "00000412345"])("%s means its own, held or not", (acquirer) => {
    expect(chosenFor(acquirer, [others, own])).toBe(own);
  });

  test("one without any of its own means the other's, which it may know by no other name", () => {
    expect(chosenFor("999999", [others, own])).toBe(others);
  });
});
