import type { CardFacts } from "../cards/card.ts";
import { describeCard } from "../cards/describe.ts";
import { cardCounters } from "../cards/kept-tables.ts";
import { type LoadedCard, needsOfWholeCard, wholeCard } from "../cards/loaded-card.ts";
import {
  type CardMerchant,
  cardMerchants,
  listsOf,
  type MerchantList,
  merchantsOfCard,
} from "../cards/merchant-table.ts";
import { numbered } from "../cards/numbering.ts";
import type { Decision, Operation } from "../engine/operation.ts";
import { insert, type RowChange, remove, update } from "../engine/table.ts";
import { codes } from "../foundation/codes.ts";
import { MID_PATTERN } from "../transactions/transaction.ts";

/** What can be done with a merchant. */
export type MerchantAction = { kind: "Add" | "Remove"; list: MerchantList } | { kind: "Unblock" };

export interface ChangeMerchants {
  card: CardFacts;
  action: MerchantAction;
  /** As they came, in their order. */
  mids: readonly string[];
}

export const merchantResults = [
  "Added",
  "AlreadyListed",
  "Removed",
  "NotListed",
  "Unblocked",
  "Invalid",
] as const;
type Result = (typeof merchantResults)[number];

export interface MerchantOutcome {
  mid: string;
  result: Result;
  responseCode: string;
}

/** How many merchants a list holds at most. */
export const MAX_LISTED = 1_000;
const TOO_MANY = `A list holds at most ${MAX_LISTED} merchants`;

/** Changes a card's lists, each merchant on its own: what is wrong with one keeps no other from its change. */
export const changeMerchants: Operation<ChangeMerchants, MerchantOutcome[]> = {
  name: "change-merchants",
  accounts: ({ card }) => [card.accountId],
  needs: ({ card }) => needsOfWholeCard(card),
  decide: (view, { card: facts, action, mids }, now) => {
    const loaded = wholeCard(view, facts);
    if (loaded === undefined) return { refused: "NO_CARD_RECORD" };
    if (loaded.card.status === "Terminated") return { refused: "CARD_CLOSED" };
    const before = view.rows(merchantsOfCard, facts.cardId);
    const lists = new Lists(facts.cardId, before, now);
    const outcomes = mids.map((mid) => outcomeOf(mid, lists.apply(action, mid)));
    const { White, Black } = lists.lengths();
    if (White > MAX_LISTED || Black > MAX_LISTED) {
      return { refused: "TRANSACTION_NOT_PERMITTED", message: TOO_MANY };
    }
    return decisionOf(loaded, lists, outcomes);
  },
};

/** The lists of a card while they change. */
class Lists {
  readonly #cardId: string;
  readonly #now: Date;
  readonly #before: ReadonlyMap<string, CardMerchant>;
  readonly #after: Map<string, CardMerchant>;

  constructor(cardId: string, before: readonly CardMerchant[], now: Date) {
    this.#cardId = cardId;
    this.#now = now;
    this.#before = new Map(before.map((row) => [cardMerchants.idOf(row), row]));
    this.#after = new Map(this.#before);
  }

  apply(action: MerchantAction, mid: string): Result {
    if (!MID_PATTERN.test(mid)) return "Invalid";
    const list = action.kind === "Unblock" ? "Black" : action.list;
    const fresh = { cardId: this.#cardId, list, mid, unblocked: false, createdAt: this.#now };
    const id = cardMerchants.idOf(fresh);
    const listed = this.#after.get(id);
    if (action.kind === "Add") {
      if (listed !== undefined) return "AlreadyListed";
      this.#after.set(id, fresh);
      return "Added";
    }
    if (listed === undefined) return "NotListed";
    if (action.kind === "Remove") {
      this.#after.delete(id);
      return "Removed";
    }
    if (!listed.unblocked) this.#after.set(id, { ...listed, unblocked: true });
    return "Unblocked";
  }

  all(): CardMerchant[] {
    return [...this.#after.values()];
  }

  /** How many merchants each of the two holds. */
  lengths(): Record<MerchantList, number> {
    const white = this.all().filter(({ list }) => list === "White").length;
    return { White: white, Black: this.#after.size - white };
  }

  changes(): RowChange[] {
    const gone = [...this.#before].filter(([id]) => !this.#after.has(id));
    const changed = [...this.#after].filter(([id, row]) => this.#before.get(id) !== row);
    return [
      ...gone.map(([, row]) => remove(cardMerchants, row)),
      ...changed.map(([id, row]) =>
        this.#before.has(id) ? update(cardMerchants, row) : insert(cardMerchants, row),
      ),
    ];
  }
}

const outcomeOf = (mid: string, result: Result): MerchantOutcome => ({
  mid,
  result,
  responseCode: codes[result === "Invalid" ? "INVALID_MERCHANT" : "SUCCESS"].code,
});

/** The effects; where nothing changed there is nothing to tell. */
function decisionOf(
  { card, account, counters }: LoadedCard,
  lists: Lists,
  outcomes: MerchantOutcome[],
): Decision<MerchantOutcome[]> {
  const rows = lists.changes();
  const resourceId = card.cardId;
  if (rows.length === 0) {
    return { effects: { postings: [], events: [] }, answer: outcomes, resourceId };
  }
  const data = {
    ...describeCard(card, account, counters, listsOf(lists.all())),
    // Only what has the form of a merchant id: the rest is whatever the caller sent.
    merchants: outcomes.filter(({ result }) => result !== "Invalid"),
  };
  const { White: whiteListedMids, Black: blackListedMids } = lists.lengths();
  const { counters: numberedCounters, events } = numbered(
    { ...counters, whiteListedMids, blackListedMids },
    { eventType: "card.merchants_changed", data },
  );
  return {
    effects: { postings: [], rows: [...rows, update(cardCounters, numberedCounters)], events },
    answer: outcomes,
    resourceId,
  };
}
