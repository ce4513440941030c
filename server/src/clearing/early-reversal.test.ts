import { expect, test } from "vitest";
import { anyCard } from "../../test/harness/cards.ts";
import { keptOf } from "../../test/harness/kept.ts";
import { authorize } from "../authorization/authorize.ts";
import type { Purchase } from "../authorization/purchase.ts";
import { cardCounters } from "../cards/kept-tables.ts";
import { type DecidedBatch, decideBatch } from "../engine/batch.ts";
import type { Operation } from "../engine/operation.ts";
import type { LoadedRows } from "../engine/rows.ts";
import type { Load } from "../engine/table.ts";
import { DAY_MS } from "../foundation/dates.ts";
import { newId } from "../foundation/ids.ts";
import type { Account } from "../ledger/accounts.ts";
import { networkReferenceOf, traceKey } from "../transactions/iso-name.ts";
import { paymentsByTrace } from "../transactions/iso-originals.ts";
import { messageKey } from "../transactions/message-key.ts";
import { byNetworkReference } from "../transactions/table.ts";
import { earlyReversals, unappliedByName } from "../transactions/unapplied-table.ts";
import { rememberReversal } from "./remember-reversal.ts";

const TOLD = new Date("2026-05-05T23:00:00Z");
const days = (count: number): Date => new Date(TOLD.getTime() + count * DAY_MS);

const card = anyCard("org_1");
const { organizationId } = card;
const fields = { trace: "000001", transmitted: "0505230000" };
const networkReference = networkReferenceOf({
  acquirer: "123456",
  retrieval: "RETRIEVAL001",
  ...fields,
});

/** Decides one operation about the card, when all that it names was looked for and not found. */
function decide<Input>(
  operation: Operation<Input, unknown>,
  input: Input,
  kept: Account["kept"],
  now: Date,
): DecidedBatch {
  const balance = { postedMinor: 10_000n, heldMinor: 0n, ctid: "(0,1)" };
  const { accountId, currency } = card;
  const account: Account = { organizationId, accountId, kind: "Card", currency, ...balance, kept };
  const job = { operation: operation as Operation<unknown, unknown>, organizationId, input };
  const rows = (operation.needs?.(input) ?? []).map(
    ({ load, key }): LoadedRows => ({ load, keys: [{ organizationId, id: key }], rows: [] }),
  );
  const loaded = { accounts: [account], rows, known: [], generation: 1 };
  return decideBatch([{ ...job, claim: undefined }], loaded, now);
}

const reversal = {
  card,
  networkReference: networkReferenceOf({
    acquirer: "123456",
    retrieval: "RETRIEVAL001",
    trace: "000002",
    transmitted: "0505230001",
  }),
  originalKey: traceKey(fields),
};

const purchase = (): Purchase => ({
  transactionId: newId("txn", TOLD.getTime()),
  requestType: "Authorization",
  card,
  amountMinor: 100n,
  currency: "USD",
  billing: { amountMinor: 100n, rate: null },
  merchant: { mid: "M1", mcc: "5411", name: "Shop", city: "Lagos", country: "US" },
  entryMode: "Ecommerce",
  cvv: "Absent",
  networkReference,
  approvalCode: "ABC123",
  holdDays: 7,
  chargeTransactionIds: [],
});

/** What the account keeps of a card that a reversal has come for on a day, after what it has kept before. */
function keptAfter(now: Date, before: Account["kept"] = keptOf(card)): Account["kept"] {
  const { writes } = decide(rememberReversal, reversal, before, now);
  const saved = writes.find(({ name }) => name === "accounts_save");
  return JSON.parse(String(saved?.values?.at(-1)))[0];
}

const earlyDay = (kept: Account["kept"]): number | undefined =>
  cardCounters.inAccount?.read({ organizationId, accountId: card.accountId, kept })[0]
    ?.earlyReversalDay;

test("the day of an early reversal is remembered, and does not go back with a clock that is behind", () => {
  const first = keptAfter(days(0));
  expect(earlyDay(first)).toBe(Math.floor(TOLD.getTime() / DAY_MS));
  expect(earlyDay(keptAfter(days(-2), first))).toBe(earlyDay(first));
  expect(earlyDay(keptAfter(days(3), first))).toBe((earlyDay(first) ?? 0) + 3);
});

test.each([
  [0, true],
  [89, true],
  [90, true],
  [91, false],
])(
  "%i days after one the reversals of a card are looked for: %s, all at once",
  (later, expected) => {
    const { lacking } = decide(authorize, purchase(), keptAfter(days(0)), days(later));
    const loads = lacking.map(({ need }) => need.load);
    const looks = earlyReversals as unknown as Load<never>;
    expect(loads).toEqual(expected ? [looks, looks] : []);
  },
);

test("nothing is looked for where none ever came too early", () => {
  expect(decide(authorize, purchase(), keptOf(card), TOLD).lacking).toEqual([]);
});

test("what is named beforehand is what decides", () => {
  const named = (needs: readonly { load: Load<never>; key: string }[] = []) =>
    needs.map(({ load, key }) => [load, key]);
  expect(named(authorize.needs?.(purchase()))).toEqual([
    [byNetworkReference, messageKey("Authorization", networkReference)],
  ]);
  expect(named(rememberReversal.needs?.(reversal))).toEqual([
    [unappliedByName, messageKey("Reversal", reversal.networkReference)],
    [paymentsByTrace, `${card.cardId} ${traceKey(fields)}`],
  ]);
});
