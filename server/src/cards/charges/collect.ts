import type { Effects } from "../../engine/operation.ts";
import { insert, update } from "../../engine/table.ts";
import type { View } from "../../engine/view.ts";
import { formatAmount } from "../../foundation/money.ts";
import { type Account, availableMinor, counterAccount } from "../../ledger/accounts.ts";
import { transactions } from "../../transactions/table.ts";
import { completed } from "../../transactions/transaction.ts";
import type { CardCounters, CardFacts } from "../card.ts";
import { cardCounters } from "../kept-tables.ts";
import { numbered } from "../numbering.ts";
import { affordable } from "./affordable.ts";
import { type Charge, MAX_TRIED } from "./charge.ts";
import { describeCharge } from "./describe.ts";
import { crossBorderCharges } from "./table.ts";

export interface Collecting {
  /** In any order, perhaps with some that were collected since they were loaded. */
  charges: readonly Charge[];
  /** The cards that owe them. */
  cards: readonly CardFacts[];
  /** The accounts that may pay. */
  accounts: readonly Account[];
  /** The cards' counters, where they differ from the view's by now. */
  counters?: ReadonlyMap<string, CardCounters>;
  /** For the transactions that record it; no more charges are collected than there are ids. */
  transactionIds: readonly string[];
  now: Date;
}

export interface Collection {
  collected: Charge[];
  pending: Charge[];
  /** Whether there may be money for more than one step collects. */
  hasMore: boolean;
  effects: Required<Pick<Effects, "postings" | "rows" | "events">>;
  /** What the accounts have once it is done. */
  balancesMinor: Map<string, bigint>;
  /** The cards' counters once it is done. */
  counters: Map<string, CardCounters>;
}

/** Takes all charges that can be paid from the accounts that owe them. Pure. */
export function collectCharges(view: View, input: Collecting): Collection {
  const { accounts, cards } = input;
  const available = new Map(accounts.map((each) => [each.accountId, availableMinor(each)]));
  const most = input.transactionIds.length;
  const tried = oldestPending(input.charges);
  const { paid, left, hasMore } = affordable(tried, available, most);
  const collection: Collection = {
    collected: [],
    pending: left,
    // Where not all charges were loaded, those that were collected make room for others.
    hasMore: hasMore || (tried.length >= MAX_TRIED && paid.length > 0),
    effects: { postings: [], rows: [], events: [] },
    balancesMinor: new Map(accounts.map((each) => [each.accountId, each.postedMinor])),
    counters: new Map(
      cards.flatMap(({ cardId }) => {
        const counters = input.counters?.get(cardId) ?? view.row(cardCounters, cardId);
        return counters === undefined ? [] : [[cardId, counters]];
      }),
    ),
  };
  for (const [index, charge] of paid.entries()) {
    const card = cards.find(({ cardId }) => cardId === charge.cardId);
    const transactionId = input.transactionIds[index];
    if (card === undefined || transactionId === undefined) {
      throw new Error(`The charge ${charge.chargeId} is collected without what it takes.`);
    }
    addPayment(collection, card, payCharge({ charge, card, transactionId, now: input.now }));
  }
  return collection;
}

function oldestPending(charges: readonly Charge[]): Charge[] {
  const byId = new Map(charges.map((charge) => [charge.chargeId, charge]));
  return [...byId.values()]
    .filter(({ status }) => status === "Pending")
    .sort((a, b) => (a.chargeId < b.chargeId ? -1 : 1));
}

function addPayment(
  { collected, effects, balancesMinor, counters }: Collection,
  card: CardFacts,
  { charge, transaction, posting }: ReturnType<typeof payCharge>,
): void {
  const { accountId, amountMinor } = charge;
  balancesMinor.set(accountId, (balancesMinor.get(accountId) ?? 0n) - amountMinor);
  const cardBalance = formatAmount(balancesMinor.get(card.accountId) ?? 0n, card.currency);
  const before = counters.get(card.cardId);
  if (before === undefined) throw new Error(`Nothing is kept of the card ${card.cardId}.`);
  const sequenced = numbered(before, {
    eventType: "charge.cross_border.collected",
    data: { ...describeCharge(charge), cardBalance },
  });
  counters.set(card.cardId, sequenced.counters);
  collected.push(charge);
  effects.postings.push(posting);
  effects.rows.push(
    update(crossBorderCharges, charge),
    insert(transactions, transaction),
    update(cardCounters, sequenced.counters),
  );
  effects.events.push(...sequenced.events);
}

/** The records of one charge's collection. The journal's entry is named after the charge. */
export function payCharge(input: {
  charge: Charge;
  card: CardFacts;
  transactionId: string;
  now: Date;
}) {
  const { charge, card, transactionId, now } = input;
  const { accountId, amountMinor, currency } = charge;
  return {
    charge: { ...charge, status: "Collected" as const, collectedAt: now },
    transaction: completed({
      transactionId,
      card: { ...card, accountId },
      type: "CrossBorderCharge",
      amountMinor,
      now,
    }),
    posting: {
      entryId: charge.chargeId,
      kind: "CrossBorderCharge" as const,
      debitAccountId: accountId,
      creditAccountId: counterAccount("Fees", currency),
      amountMinor,
      currency,
      transactionId,
    },
  };
}
