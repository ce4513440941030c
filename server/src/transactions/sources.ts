import type { Connection } from "../db/pool.ts";
import type { Currency } from "../foundation/currencies.ts";
import type { TransactionFilter } from "./filter.ts";
import {
  isPurchaseType,
  type TransactionStage,
  type TransactionType,
  transactionTypes,
} from "./transaction.ts";

/**
 * A query for the ids of the newest transactions that a filter matches. $1 is the organization, $2 and
 * $3 bound the ids, $4 says how many; what else it takes follows from $5.
 *
 * However rare what is asked for, no query may go through everything to find it, and yet purchases, which
 * are most of what there is, must not pay for indexes. So each question has a way of its own:
 * one card or one customer by their cards; rare kinds by an index that leaves out plain purchases
 * (approved, at home); plain purchases, being most, by going through all; what became of payments
 * by the messages that brought them there; open ones among those that the sweep has not passed yet.
 */
export interface Source {
  text: string;
  values: unknown[];
}

/** With more cards than that in a currency, its transactions are not rare. */
const FEW_CARDS = 2_000;

const BOUNDS = "organization_id = $1 and transaction_id >= $2 and transaction_id < $3";
const NEWEST = "order by transaction_id desc limit $4";

/** As in the predicate of the index transactions_by_kind, which leaves out what is plain. */
const NOT_PLAIN = "(type <> 'Authorization' or not approved or currency <> billing_currency)";
const PLAIN = "type = 'Authorization' and approved and currency = billing_currency";

/** The best way to what a filter asks for; undefined: nothing can match. */
export function sourceOf(
  filter: TransactionFilter,
  { isRareCurrency }: { isRareCurrency: boolean },
): Source | undefined {
  const query = new Query(filter);
  if (filter.cardId !== undefined) return query.finish(query.ofCard(filter.cardId));
  if (filter.customerId !== undefined) {
    return query.finish(query.perCard(query.cardsOfCustomer(filter.customerId)));
  }
  const { stage, type, currency, approved } = filter;
  if (isOutcome(stage)) return query.finish(query.ofOutcome(stage));
  if (
    stage === undefined &&
    type === undefined &&
    currency === undefined &&
    approved === undefined
  ) {
    return query.finish(`select transaction_id from transactions where ${BOUNDS} ${NEWEST}`);
  }
  const kinds = kindsOf(filter);
  if (kinds === undefined) return undefined;
  const parts = [query.ofKinds(kinds)];
  if (kinds.types.includes("Authorization") && kinds.approved !== false) {
    parts.push(
      isRareCurrency && currency !== undefined
        ? query.perCard(query.cardsIn(currency), PLAIN)
        : query.plain(),
    );
  }
  if (stage === "Authorization") parts.push(query.verifications());
  return query.finish(
    `select transaction_id from (${parts.map((part) => `(${part})`).join(" union ")}) u ${NEWEST}`,
  );
}

/** Whether an organization has so few cards in a currency that going through them is the shorter way. */
export async function isRareCurrency(
  db: Connection,
  organizationId: string,
  currency: Currency,
): Promise<boolean> {
  const { rows } = await db.query<{ cards: bigint }>(
    `select count(*) as cards from (
       select from cards where organization_id = $1 and currency = $2 limit ${FEW_CARDS + 1}) c`,
    [organizationId, currency],
  );
  return (rows[0]?.cards ?? 0n) <= FEW_CARDS;
}

type Outcome = "Settlement" | "Reversal" | "Refund" | "Expired";

/** The stages that a message brings a payment to. */
const isOutcome = (stage: TransactionStage | undefined): stage is Outcome =>
  stage === "Settlement" || stage === "Reversal" || stage === "Refund" || stage === "Expired";

interface Kinds {
  types: readonly string[];
  approved: boolean | undefined;
}

/** A stage that payments begin at says what they can be. */
function kindsOf({ stage, type, approved }: TransactionFilter): Kinds | undefined {
  const isApproved = stage === undefined ? approved : stage !== "Declined";
  const types = transactionTypes.filter(
    (each) => (type === undefined || each === type) && canBegin(each, stage),
  );
  const isContradiction = approved !== undefined && approved !== isApproved;
  return types.length === 0 || isContradiction ? undefined : { types, approved: isApproved };
}

function canBegin(type: TransactionType, stage: TransactionStage | undefined): boolean {
  if (stage === undefined) return true;
  const isPosted = type === "Settlement" || type === "Refund";
  return isPurchaseType(type) ? stage !== "Completed" : stage === "Completed" && !isPosted;
}

/** Puts the parts of a query together, with their values. */
class Query {
  readonly #filter: TransactionFilter;
  readonly #values: unknown[] = [];

  constructor(filter: TransactionFilter) {
    this.#filter = filter;
  }

  finish(text: string): Source {
    return { text, values: this.#values };
  }

  ofCard(cardId: string): string {
    const card = `card_id = ${this.#value(cardId)}`;
    return `select transaction_id from transactions where ${BOUNDS} and ${card} and ${this.#sift()} ${NEWEST}`;
  }

  cardsOfCustomer(customerId: string): string {
    const customer = this.#value(customerId);
    return `select card_id from cards where organization_id = $1 and customer_id = ${customer}`;
  }

  cardsIn(currency: Currency): string {
    return `select card_id from cards where organization_id = $1 and currency = ${this.#value(currency)}`;
  }

  /** The newest belong to the cards whose own newest are the newest; so only these are read further. */
  perCard(cards: string, isMeant = "true"): string {
    const newestOf = (card: string, count: string): string => `
      select transaction_id from transactions
       where ${BOUNDS} and card_id = ${card} and ${isMeant} and ${this.#sift()}
       order by transaction_id desc limit ${count}`;
    return `
      with latest as (
        select o.card_id from (${cards}) o cross join lateral (${newestOf("o.card_id", "1")}) n
         order by n.transaction_id desc limit $4)
      select n.transaction_id from latest cross join lateral (${newestOf("latest.card_id", "$4")}) n
       order by n.transaction_id desc limit $4`;
  }

  /** What a message brought there and has not moved on since. */
  ofOutcome(stage: Outcome): string {
    return `
      select m.transaction_id
        from (select distinct transaction_id from network_messages
               where ${BOUNDS} and stage = ${this.#value(stage)} order by transaction_id desc) m
       cross join lateral (
         select from transactions t
          where t.organization_id = $1 and t.transaction_id = m.transaction_id and ${this.#sift()}) t
       order by m.transaction_id desc limit $4`;
  }

  /** The newest of each kind that there is, found by skipping from one to the next. */
  ofKinds({ types, approved }: Kinds): string {
    const kind = "type, approved, currency";
    const next = (after: string): string => `
      select ${kind} from transactions where organization_id = $1 and ${NOT_PLAIN} ${after}
       order by ${kind} limit 1`;
    const { currency } = this.#filter;
    const isWanted = [
      `kinds.type = any (${this.#value(types)}::text[])`,
      ...(approved === undefined ? [] : [`kinds.approved = ${approved}`]),
      ...(currency === undefined ? [] : [`kinds.currency = ${this.#value(currency)}`]),
    ];
    return `
      with recursive kinds (${kind}) as (
        (${next("")})
        union all
        select n.* from kinds k cross join lateral (
          ${next("and (type, approved, currency) > (k.type, k.approved, k.currency)")}) n)
      select newest.transaction_id from kinds cross join lateral (
        select transaction_id from transactions t
         where ${BOUNDS} and ${NOT_PLAIN} and t.type = kinds.type and t.approved = kinds.approved
           and t.currency = kinds.currency and ${this.#isOpen()} ${NEWEST}) newest
       where ${isWanted.join(" and ")}`;
  }

  plain(): string {
    return `
      select transaction_id from transactions
       where ${BOUNDS} and ${PLAIN} and ${this.#sift()} and ${this.#isOpen()} ${NEWEST}`;
  }

  /** Verifications of 0 hold nothing, so they stay where they began. */
  verifications(): string {
    return `
      select transaction_id from transactions
       where ${BOUNDS} and approved and billing_amount_minor = 0 and ${this.#sift()} ${NEWEST}`;
  }

  /** Nothing is held any more that the sweeps of its organization have all passed. */
  #isOpen(): string {
    if (this.#filter.stage !== "Authorization") return "true";
    return `stage = 'Authorization' and transaction_id >= coalesce(
      (select min(swept_to) from hold_sweeps where organization_id = $1), 'txn_')`;
  }

  /** What a row itself must be. */
  #sift(): string {
    const { customerId, type, stage, currency, approved } = this.#filter;
    const conditions = [
      ...(customerId === undefined ? [] : [`customer_id = ${this.#value(customerId)}`]),
      ...(type === undefined ? [] : [`type = ${this.#value(type)}`]),
      ...(stage === undefined ? [] : [`stage = ${this.#value(stage)}`]),
      ...(currency === undefined ? [] : [`currency = ${this.#value(currency)}`]),
      ...(approved === undefined ? [] : [`approved = ${approved}`]),
    ];
    return conditions.length === 0 ? "true" : conditions.join(" and ");
  }

  #value(value: unknown): string {
    this.#values.push(value);
    return `$${4 + this.#values.length}`;
  }
}
