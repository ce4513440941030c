import { expect } from "vitest";
import type { Pool } from "../../src/db/pool.ts";
import { codes } from "../../src/foundation/codes.ts";
import { groupBy } from "../../src/foundation/group-by.ts";
import { audit } from "../../src/ledger/audit/audit.ts";
import { type Kind, type Outcome, type Owner, purchases } from "./money-commands.ts";
import { type OwnerBooks, type Posting, readBooks, type Transaction } from "./owner-books.ts";

/** Whatever was asked for, in whatever order, this holds. */
export async function expectSoundBooks(
  pool: Pool,
  owners: readonly Owner[],
  outcomes: readonly Outcome[],
): Promise<void> {
  expect((await audit(pool)).problems).toEqual([]);
  for (const owner of owners) {
    const books = await readBooks(pool, owner);
    const own = outcomes.filter((outcome) => outcome.owner === owner);
    expectFinalRefusals(own);
    expectEachOnce(books, own);
    expectPaymentsPosted(books);
    expectMoneyKept(books);
    expectFloors(books);
    expectHolds(books);
    expectClosedAccountsPaidOut(books);
    expectDebts(books);
    expectCounters(books);
    expectEvents(books, own);
  }
}

/** For messages about what does not hold. */
const show = (what: unknown): string =>
  JSON.stringify(what, (_key, value) => (typeof value === "bigint" ? value.toString() : value));

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => a + b, 0n);

/** Whatever is refused is refused for good reason, not for lack of an answer. */
function expectFinalRefusals(outcomes: readonly Outcome[]): void {
  for (const { command, refused = "SUCCESS" } of outcomes) {
    expect(codes[refused].finality, `${command.kind} ${refused}`).not.toBe("Indeterminate");
  }
}

/** What a request posts once it is acknowledged, besides what may follow from it. */
const postingOf: Partial<Record<Kind, string>> = {
  deposit: "Deposit",
  issue: "InitialFunding",
  issueLite: "InitialFunding",
  reissueApart: "InitialFunding",
  topUp: "TopUp",
  withdraw: "Withdrawal",
  transfer: "Transfer",
  regularize: "Regularization",
  settle: "Settlement",
  settleAmount: "Settlement",
  settlePart: "Settlement",
  forcePost: "Settlement",
  refund: "Refund",
  refundPart: "Refund",
  refundUnlinked: "Refund",
};

const consequences: readonly string[] = ["CrossBorderCharge", "TerminationPayout"];

/** What charges and payouts may follow from; of purchases, from the last one of a lite card. */
const followed: ReadonlySet<Kind> = new Set<Kind>([
  "settle",
  "settleAmount",
  "settlePart",
  "forcePost",
  "refund",
  "refundPart",
  "refundUnlinked",
  "reverse",
  "reversePart",
  "terminate",
  "reprocess",
  "authorize",
  "preAuthorize",
  "withdrawCash",
]);

/** Kinds that post exactly what was asked for. */
const amountOf: Partial<Record<Kind, (cents: number) => number>> = {
  deposit: (cents) => cents,
  issue: (cents) => cents,
  issueLite: (cents) => cents + 100,
  reissueApart: (cents) => cents,
  topUp: (cents) => cents,
  withdraw: (cents) => cents,
  transfer: (cents) => cents,
};

/** Each acknowledged effect is in the journal once, under its Reference; what was refused left nothing. */
function expectEachOnce({ postings, references }: OwnerBooks, outcomes: readonly Outcome[]): void {
  const states = new Map(references.map(({ reference, state }) => [reference, state]));
  const requests = groupBy(outcomes, ({ reference }) => reference);
  const journal = groupBy(postings, ({ reference }) => reference ?? "");
  expect([...journal.keys()].filter((reference) => !requests.has(reference))).toEqual([]);
  const named = new Map<string, number>();
  for (const [reference, answers] of requests) {
    const [success, ...more] = answers.filter(({ answer }) => answer !== undefined);
    const posted = journal.get(reference) ?? [];
    const about = show(answers);
    expect(more, about).toEqual([]);
    expect(states.get(reference) === "Succeeded", about).toBe(success !== undefined);
    if (success === undefined) expect(posted, about).toEqual([]);
    else expectPosted(success, posted, named);
  }
  // However often the network sent a message of one name, it was posted once.
  expect([...named].filter(([, times]) => times !== 1)).toEqual([]);
}

function expectPosted(
  { command, answer }: Outcome,
  posted: readonly Posting[],
  named: Map<string, number>,
): void {
  const main = posted.filter(({ kind }) => !consequences.includes(kind));
  const told = show({ command, answer });
  if (!followed.has(command.kind)) expect(posted, told).toEqual(main);
  const kind = postingOf[command.kind];
  const isNamed = command.name !== undefined && followed.has(command.kind) && kind !== undefined;
  const isRepeated = isNamed && main.length === 0;
  const found = main.map((posting) => posting.kind);
  expect(found, told).toEqual(kind === undefined || isRepeated ? [] : [kind]);
  const name = `${kind} ${command.name}`;
  if (isNamed) named.set(name, (named.get(name) ?? 0) + main.length);
  const amount = amountOf[command.kind]?.(command.cents);
  if (amount !== undefined) expect(main[0]?.amountMinor, told).toBe(BigInt(amount));
}

/** What the journal says about payments is what they say themselves, message by message. */
function expectPaymentsPosted({ transactions, postings, messages }: OwnerBooks): void {
  const journal = groupBy(postings, ({ transactionId, kind }) => `${transactionId} ${kind}`);
  const heard = groupBy(messages, (each) => `${each.transactionId} ${each.requestType}`);
  for (const transaction of transactions) {
    const { transactionId, type, settledMinor, refundedMinor, events } = transaction;
    const postedAs = (kind: string) => journal.get(`${transactionId} ${kind}`) ?? [];
    const heardAs = (...kinds: string[]) =>
      kinds.flatMap((kind) => heard.get(`${transactionId} ${kind}`) ?? []);
    const countOf = (...requestTypes: string[]): number =>
      events.filter(({ requestType }) => requestTypes.includes(requestType)).length;
    const told = show(transaction);
    const settled = postedAs("Settlement").map(({ amountMinor }) => amountMinor);
    const refunded = postedAs("Refund").map(({ amountMinor }) => amountMinor);
    expect([sum(settled), sum(refunded)], told).toEqual([settledMinor, refundedMinor]);
    expect([settled.length, refunded.length], told).toEqual([
      countOf("Settlement"),
      countOf("Refund"),
    ]);
    expect(heardAs("Settlement").length, told).toBe(countOf("Settlement"));
    expect(heardAs("Refund").length, told).toBe(countOf("Refund"));
    const reversals = ["Reversal", "PartialReversal"];
    expect(heardAs(...reversals).length, told).toBe(countOf(...reversals));
    if (consequences.includes(type)) expect(postedAs(type).length, told).toBe(1);
  }
  const isConsequence = ({ kind }: Posting): boolean => consequences.includes(kind);
  const known = new Set(transactions.map(({ transactionId, type }) => `${transactionId} ${type}`));
  const strangers = postings
    .filter(isConsequence)
    .filter(({ transactionId, kind }) => !known.has(`${transactionId} ${kind}`));
  expect(strangers).toEqual([]);
}

/** What came from outside is in wallets and on cards, or has gone to merchants and fees. */
function expectMoneyKept({ postings, accounts }: OwnerBooks): void {
  const flow = (accountId: string): bigint =>
    sum(
      postings.map(({ debit, credit, amountMinor }) =>
        credit === accountId ? amountMinor : debit === accountId ? -amountMinor : 0n,
      ),
    );
  const owned = sum(accounts.map(({ postedMinor }) => postedMinor));
  expect(owned).toBe(-flow("Deposits:USD") - flow("Clearing:USD") - flow("Fees:USD"));
}

const MINIMUM_LEFT = 100n;

/** Clearing alone takes an account below zero; whatever is asked for is asked for what is there. */
function expectFloors({ postings, accounts, transactions }: OwnerBooks): void {
  for (const { kind, debit, debitBalanceMinor } of postings) {
    if (debitBalanceMinor === null || kind === "Settlement") continue;
    const floor = kind === "Withdrawal" ? MINIMUM_LEFT : 0n;
    expect(debitBalanceMinor, `${kind} from ${debit}`).toBeGreaterThanOrEqual(floor);
  }
  for (const { accountId, kind, postedMinor, heldMinor } of accounts) {
    const isHarmless = transactions.filter((t) => t.accountId === accountId).every(isWithinHold);
    if (kind === "Wallet" || isHarmless) {
      expect(postedMinor - heldMinor, `${kind} ${accountId}`).toBeGreaterThanOrEqual(0n);
    }
  }
}

/** Whether all that was settled had been held until then, as far as the record tells. */
function isWithinHold(transaction: Transaction): boolean {
  const { type, billingMinor, settledMinor, events } = transaction;
  if (type === "Settlement") return false;
  const settlements = events.filter(({ requestType }) => requestType === "Settlement").length;
  if (settlements === 0) return true;
  const reversals = events.some(({ requestType }) => requestType.endsWith("Reversal"));
  return settlements === 1 && !reversals && settledMinor <= billingMinor;
}

function expectHolds({ accounts, transactions }: OwnerBooks): void {
  const held = groupBy(transactions, ({ accountId }) => accountId);
  for (const { accountId, heldMinor } of accounts) {
    const open = held.get(accountId) ?? [];
    expect(heldMinor).toBe(sum(open.map((transaction) => transaction.heldMinor)));
  }
  for (const transaction of transactions) {
    const { heldMinor, stage, approved } = transaction;
    const isOpen =
      approved && (stage === "Authorization" || stage === "Settlement" || stage === "Refund");
    if (heldMinor > 0n) expect(isOpen, show(transaction)).toBe(true);
    expect(
      transaction.refundedMinor <= transaction.settledMinor || transaction.type === "Refund",
    ).toBe(true);
  }
}

/** Nothing is left where nobody can spend it. */
function expectClosedAccountsPaidOut({ accounts, cards }: OwnerBooks): void {
  const families = groupBy(cards, ({ accountId }) => accountId);
  const cardAccounts = accounts.filter(({ kind }) => kind === "Card");
  expect(cardAccounts.length).toBe(families.size);
  for (const { accountId, postedMinor, heldMinor } of cardAccounts) {
    const isClosed = families.get(accountId)?.every(({ status }) => status === "Terminated");
    if (isClosed && heldMinor === 0n) expect(postedMinor).toBeLessThanOrEqual(0n);
  }
}

function expectDebts({ accounts, cards, debts }: OwnerBooks): void {
  const customerOf = new Map(cards.map(({ accountId, customerId }) => [accountId, customerId]));
  const owing = accounts
    .filter(({ kind, postedMinor }) => kind === "Card" && postedMinor < 0n)
    .map(({ accountId }) => `${accountId} ${customerOf.get(accountId)}`);
  expect(debts.map((debt) => `${debt.accountId} ${debt.customerId}`).sort()).toEqual(owing.sort());
}

/** Counters are what the transactions add up to; all of this was on one day. */
function expectCounters({ cards, transactions }: OwnerBooks): void {
  const ofCard = groupBy(transactions, ({ cardId }) => cardId);
  for (const card of cards) {
    const { cardId, swipeCount, swipesUsed, spentMinor, dailyLimitMinor, status } = card;
    const paid = (ofCard.get(cardId) ?? []).filter(({ decidedAs }) => decidedAs !== "Other");
    const spent = sum(paid.map(({ heldMinor, settledMinor }) => heldMinor + settledMinor));
    expect(spentMinor, cardId).toBe(spent);
    if (dailyLimitMinor !== null && paid.every(isWithinHold)) {
      expect(spentMinor, cardId).toBeLessThanOrEqual(dailyLimitMinor);
    }
    if (swipeCount === null) continue;
    const swipes = paid.filter(({ approved, decidedAs }) => approved && decidedAs === "Purchase");
    expect(swipesUsed, cardId).toBe(swipes.length);
    expect(swipesUsed).toBeLessThanOrEqual(swipeCount);
    if (swipesUsed === swipeCount) expect(status).toBe("Terminated");
  }
}

/** The events of a card count from 1 without gaps, and tell what was answered. */
function expectEvents({ events, cards }: OwnerBooks, outcomes: readonly Outcome[]): void {
  const ofCard = groupBy(events, ({ cardId }) => cardId);
  for (const { cardId } of cards) {
    const sequences = (ofCard.get(cardId) ?? []).map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.map((_, n) => BigInt(n + 1)));
  }
  const told = new Set(events.map(({ data: { payout: _, ...data } }) => sorted(data)));
  const lite = new Set(cards.flatMap((card) => (card.swipeCount === null ? [] : card.cardId)));
  for (const { command, answer } of outcomes) {
    // A message of the network that repeats is answered and not told again.
    if (answer === undefined || command.name !== undefined || untold.has(command.kind)) continue;
    // A lite card that ends with a purchase pays its charges after that was told.
    if (purchases.has(command.kind) && lite.has(answer.cardId)) continue;
    const { decision: _, ...data } = answer;
    expect(told.has(sorted(data)), `${command.kind} ${show(answer)}`).toBe(true);
  }
}

/** Deposits have no card, and charges are told one by one. */
const untold: ReadonlySet<Kind> = new Set<Kind>(["deposit", "reprocess"]);

/** The same text for the same data, whatever order its fields are in. */
function sorted(data: unknown): string {
  return JSON.stringify(data, (_key, value) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
