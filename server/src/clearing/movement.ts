import type { CardFacts } from "../cards/card.ts";
import type { Charge } from "../cards/charges/charge.ts";
import { payCharge } from "../cards/charges/collect.ts";
import { describeCharge } from "../cards/charges/describe.ts";
import { crossBorderCharges } from "../cards/charges/table.ts";
import type { Effects } from "../engine/operation.ts";
import { insert } from "../engine/table.ts";
import { rateOf } from "../foundation/fx.ts";
import { type Account, availableMinor, counterAccount } from "../ledger/accounts.ts";
import type { PostingKind } from "../ledger/postings.ts";
import { transactions } from "../transactions/table.ts";
import type { Transaction } from "../transactions/transaction.ts";

/** What a message of the network does to the account that pays. */
export interface Movement {
  account: Account;
  effects: Required<Pick<Effects, "postings" | "holds" | "rows">>;
  /** For the card's events, after the one of the message itself. */
  furtherEvents: { eventType: string; data: object }[];
}

/** A movement that has done nothing yet. */
export const beginMovement = (account: Account): Movement => ({
  account,
  effects: { postings: [], holds: [], rows: [] },
  furtherEvents: [],
});

export function release(movement: Movement, amountMinor: bigint): void {
  if (amountMinor === 0n) return;
  const { account, effects } = movement;
  effects.holds.push({ accountId: account.accountId, deltaMinor: -amountMinor });
  movement.account = { ...account, heldMinor: account.heldMinor - amountMinor };
}

/** Pays the network, or takes back from it when the amount is below zero. */
export function clear(
  movement: Movement,
  amountMinor: bigint,
  entry: { entryId: string; transactionId: string; kind: PostingKind },
): void {
  if (amountMinor === 0n) return;
  const { account, effects } = movement;
  const clearing = counterAccount("Clearing", account.currency);
  const isPayment = amountMinor > 0n;
  effects.postings.push({
    ...entry,
    debitAccountId: isPayment ? account.accountId : clearing,
    creditAccountId: isPayment ? clearing : account.accountId,
    amountMinor: isPayment ? amountMinor : -amountMinor,
    currency: account.currency,
  });
  movement.account = { ...account, postedMinor: account.postedMinor - amountMinor };
}

/** What a settlement abroad costs on top, and the ids its records would get. */
export interface CrossBorder {
  rateBps: number;
  chargeId: string;
  transactionId: string;
}

/** Charges a settlement abroad: whole if the account has it now, else it is owed. */
export function chargeAbroad(
  movement: Movement,
  settlement: { transaction: Transaction; card: CardFacts; amountMinor: bigint; now: Date },
  { rateBps, chargeId, transactionId }: CrossBorder,
): void {
  const { transaction, card, now } = settlement;
  const amountMinor = rateOf(settlement.amountMinor, rateBps);
  if (amountMinor === 0n) return;
  const { accountId, currency } = movement.account;
  const owed: Charge = {
    chargeId,
    cardId: card.cardId,
    accountId,
    transactionId: transaction.transactionId,
    amountMinor,
    currency,
    status: "Pending",
    createdAt: now,
    collectedAt: null,
  };
  if (availableMinor(movement.account) < amountMinor) {
    movement.effects.rows.push(insert(crossBorderCharges, owed));
    movement.furtherEvents.push({
      eventType: "charge.cross_border.pending",
      data: describeCharge(owed),
    });
    return;
  }
  const paid = payCharge({ charge: owed, card, transactionId, now });
  movement.effects.postings.push(paid.posting);
  movement.effects.rows.push(
    insert(crossBorderCharges, paid.charge),
    insert(transactions, paid.transaction),
  );
  movement.furtherEvents.push({
    eventType: "charge.cross_border.collected",
    data: describeCharge(paid.charge),
  });
  const { account } = movement;
  movement.account = { ...account, postedMinor: account.postedMinor - amountMinor };
}
