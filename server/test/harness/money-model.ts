import type { CodeName } from "../../src/foundation/codes.ts";
import type { Command, Kind } from "./money-commands.ts";

/** What an account has, in cents. */
interface ModelAccount {
  posted: number;
  held: number;
  cards: ModelCard[];
}

interface ModelCard {
  holder: "Person" | "Business";
  isLite: boolean;
  status: "Active" | "Frozen" | "Terminated";
  account: ModelAccount;
  /** What it owes for purchases abroad, oldest first. */
  charges: { order: number; cents: number }[];
  spent: number;
  limits: { daily: number; transaction: number };
  swipesLeft: number;
}

interface ModelPayment {
  card: ModelCard;
  isAbroad: boolean;
  authorized: number;
  held: number;
  settled: number;
  refunded: number;
  isReversed: boolean;
}

const NO_LIMITS = { daily: Number.POSITIVE_INFINITY, transaction: Number.POSITIVE_INFINITY };
const RETAIL_LIMITS = { daily: 6000, transaction: 4000 };
const MINIMUM_LEFT = 100;
/** The model's programme; ours asks for less. */
export const CROSS_BORDER_PERCENT = 40;
const available = ({ posted, held }: ModelAccount): number => posted - held;

export type Prediction = CodeName | `Declined ${string}`;

/**
 * One organization as the contract tells its story, written without a look at how the service does it:
 * what every request comes to, and what everybody has then.
 */
export class MoneyModel {
  wallet = 0;
  /** In the order in which they came to be. */
  readonly cards = new Map<string, ModelCard>();
  readonly payments = new Map<string, ModelPayment>();
  #charges = 0;
  #newCard: ModelCard | undefined;
  #newPayment: ModelPayment | undefined;

  /** What a command will be answered; what it does is done. */
  predict(
    command: Command,
    on: { cardId: string; otherId: string; paymentId: string },
  ): Prediction {
    this.#newCard = undefined;
    this.#newPayment = undefined;
    const { kind, cents } = command;
    const card = this.cards.get(on.cardId);
    const other = this.cards.get(on.otherId);
    const payment = this.payments.get(on.paymentId);
    if (kind === "deposit") return this.#deposit(cents);
    if (kind === "issue") return this.#issue("Person", cents, { limits: RETAIL_LIMITS });
    if (kind === "issueEmpty") return this.#issue("Business", 0);
    if (kind === "issueLite") {
      const swipesLeft = 1 + (command.card % 3);
      return this.#issue("Person", cents + 100, { isLite: true, swipesLeft });
    }
    if (kind === "reissueApart") return this.#issue("Person", cents);
    if (isAboutPayment(kind)) {
      if (payment === undefined) return "UNABLE_TO_LOCATE_RECORD";
      return this.#follow(kind, payment, cents);
    }
    if (card === undefined || other === undefined) return "NO_CARD_RECORD";
    return this.#onCard(command, card, other);
  }

  /** Gives what the last command made its id. */
  name({ cardId, paymentId }: { cardId?: string; paymentId?: string }): void {
    if (this.#newCard !== undefined && cardId !== undefined) this.cards.set(cardId, this.#newCard);
    if (this.#newPayment !== undefined && paymentId !== undefined) {
      this.payments.set(paymentId, this.#newPayment);
    }
  }

  #deposit(cents: number): Prediction {
    this.wallet += cents;
    return "SUCCESS";
  }

  #issue(
    holder: ModelCard["holder"],
    cents: number,
    more: Partial<ModelCard> = {},
    account: ModelAccount = { posted: cents, held: 0, cards: [] },
  ): Prediction {
    const owes = [...this.cards.values()].some((c) => c.holder === holder && c.account.posted < 0);
    if (owes) return "NEGATIVE_BALANCE_EXCEEDS_LIMIT";
    if (cents > this.wallet) return "INSUFFICIENT_FUNDS";
    this.wallet -= cents;
    this.#newCard = {
      holder,
      isLite: false,
      status: "Active",
      account,
      charges: [],
      spent: 0,
      limits: NO_LIMITS,
      swipesLeft: Number.POSITIVE_INFINITY,
      ...more,
    };
    account.cards.push(this.#newCard);
    return "SUCCESS";
  }

  #onCard({ kind, cents, isAbroad }: Command, card: ModelCard, other: ModelCard): Prediction {
    switch (kind) {
      case "reissueShared":
        return this.#share(card);
      case "topUp":
        return this.#topUp(card, cents);
      case "withdraw":
        return this.#withdraw(card, cents);
      case "transfer":
        return this.#transfer(card, other, cents);
      case "freeze":
        return changeStatus(card, "Active", "Frozen");
      case "unfreeze":
        return changeStatus(card, "Frozen", "Active");
      case "terminate":
        return this.#terminate(card);
      case "regularize":
        return this.#regularize(card.account);
      case "reprocess":
        collect(card.account, [card]);
        return this.#endIfSpent(card);
      case "forcePost":
        this.#newPayment = { ...newPayment(card, isAbroad, cents), held: 0, settled: cents };
        card.spent += cents;
        return this.#pay(card, isAbroad, cents);
      case "refundUnlinked":
        card.account.posted += cents;
        return this.#payOut(card.account);
      default:
        return this.#authorize(card, isAbroad, cents);
    }
  }

  #share(card: ModelCard): Prediction {
    if (card.holder !== "Person") return "NO_CARD_RECORD";
    if (card.isLite) return "TRANSACTION_NOT_PERMITTED";
    if (card.status === "Terminated") return "CARD_CLOSED";
    return this.#issue("Person", 0, {}, card.account);
  }

  #topUp(card: ModelCard, cents: number): Prediction {
    const refusal = refusalToReceive(card);
    if (refusal !== undefined) return refusal;
    if (cents > this.wallet) return "INSUFFICIENT_FUNDS";
    this.wallet -= cents;
    card.account.posted += cents;
    return "SUCCESS";
  }

  #withdraw(card: ModelCard, cents: number): Prediction {
    const refusal = refusalToPay(card);
    if (refusal !== undefined) return refusal;
    if (available(card.account) - cents < MINIMUM_LEFT) return "INSUFFICIENT_FUNDS";
    card.account.posted -= cents;
    this.wallet += cents;
    return "SUCCESS";
  }

  #transfer(from: ModelCard, to: ModelCard, cents: number): Prediction {
    const refusal = refusalToPay(from) ?? refusalToReceive(to);
    if (refusal !== undefined) return refusal;
    if (from.account === to.account) return "TRANSACTION_NOT_PERMITTED";
    if (cents > available(from.account)) return "INSUFFICIENT_FUNDS";
    from.account.posted -= cents;
    to.account.posted += cents;
    return "SUCCESS";
  }

  #authorize(card: ModelCard, isAbroad: boolean, cents: number): Prediction {
    const { status, limits, spent, swipesLeft, account } = card;
    if (status !== "Active") return `Declined ${status === "Terminated" ? 143 : 141}`;
    if (cents > limits.transaction || spent + cents > limits.daily) return "Declined 129";
    if (swipesLeft === 0) return "Declined 130";
    if (cents > available(account)) return "Declined 116";
    account.held += cents;
    card.spent += cents;
    card.swipesLeft -= 1;
    this.#newPayment = newPayment(card, isAbroad, cents);
    if (card.isLite && (card.swipesLeft === 0 || available(account) === 0)) this.#terminate(card);
    return "SUCCESS";
  }

  #follow(kind: PaymentKind, payment: ModelPayment, cents: number): Prediction {
    if (kind === "reverse") return this.#reverse(payment);
    if (kind === "reversePart") return this.#reverse(payment, cents);
    if (kind === "refund" || kind === "refundPart") {
      return this.#refund(payment, kind === "refund" ? undefined : cents);
    }
    return this.#settle(payment, kind === "settle" ? undefined : cents, kind === "settlePart");
  }

  #settle(payment: ModelPayment, cents: number | undefined, isPartial: boolean): Prediction {
    const { card, held, authorized, settled, isReversed } = payment;
    const isUndone = isReversed && settled === 0;
    const wanted = cents ?? (held > 0 ? held : isUndone ? authorized : 0);
    if (wanted === 0) return "INVALID_TRANSACTION";
    const kept = isPartial ? Math.max(held - wanted, 0) : 0;
    card.account.held -= held - kept;
    card.spent += wanted - (held - kept);
    payment.held = kept;
    payment.settled += wanted;
    return this.#pay(card, payment.isAbroad, wanted);
  }

  #reverse(payment: ModelPayment, cents = payment.held): Prediction {
    const { card, held, isReversed } = payment;
    if (held === 0) return isReversed ? "ALREADY_REVERSED" : "INVALID_TRANSACTION";
    if (cents > held) return "AMOUNT_EXCEEDS_PREAUTH";
    card.account.held -= cents;
    card.spent -= cents;
    payment.held -= cents;
    payment.isReversed = payment.held === 0;
    return this.#payOut(card.account);
  }

  #refund(payment: ModelPayment, cents = payment.settled - payment.refunded): Prediction {
    if (cents === 0 || payment.refunded + cents > payment.settled) {
      return "TRANSACTION_AMOUNT_DIFFERS";
    }
    payment.refunded += cents;
    payment.card.account.posted += cents;
    return this.#payOut(payment.card.account);
  }

  /** A merchant gets its money in any case; what it costs abroad is taken whole, or owed. */
  #pay(card: ModelCard, isAbroad: boolean, cents: number): Prediction {
    card.account.posted -= cents;
    const charge = isAbroad ? (cents * CROSS_BORDER_PERCENT) / 100 : 0;
    if (charge > 0 && charge <= available(card.account)) card.account.posted -= charge;
    else if (charge > 0) card.charges.push({ order: ++this.#charges, cents: charge });
    this.#payOut(card.account);
    return this.#endIfSpent(card);
  }

  /** A lite card whose money is gone is over; what is held may come back. */
  #endIfSpent(card: ModelCard): Prediction {
    const isOver = card.isLite && card.status !== "Terminated" && card.account.posted <= 0;
    return isOver ? this.#terminate(card) : "SUCCESS";
  }

  #terminate(card: ModelCard): Prediction {
    if (card.status === "Terminated") return "CARD_CLOSED";
    card.status = "Terminated";
    collect(card.account, isClosed(card.account) ? card.account.cards : [card]);
    return this.#payOut(card.account);
  }

  #payOut(account: ModelAccount): Prediction {
    if (isClosed(account) && account.held === 0 && account.posted > 0) {
      this.wallet += account.posted;
      account.posted = 0;
    }
    return "SUCCESS";
  }

  #regularize(account: ModelAccount): Prediction {
    if (!isClosed(account) || account.posted >= 0) return "TRANSACTION_NOT_PERMITTED";
    if (-account.posted > this.wallet) return "INSUFFICIENT_FUNDS";
    this.wallet += account.posted;
    account.posted = 0;
    return "SUCCESS";
  }
}

const paymentKinds = [
  "settle",
  "settleAmount",
  "settlePart",
  "reverse",
  "reversePart",
  "refund",
  "refundPart",
] as const;
type PaymentKind = (typeof paymentKinds)[number];

const isAboutPayment = (kind: Kind): kind is PaymentKind =>
  (paymentKinds as readonly string[]).includes(kind);

const newPayment = (card: ModelCard, isAbroad: boolean, cents: number): ModelPayment => ({
  card,
  isAbroad,
  authorized: cents,
  held: cents,
  settled: 0,
  refunded: 0,
  isReversed: false,
});

const isClosed = ({ cards }: ModelAccount): boolean =>
  cards.every(({ status }) => status === "Terminated");

function refusalToReceive({ status, isLite }: ModelCard): CodeName | undefined {
  if (status === "Terminated") return "CARD_CLOSED";
  return isLite ? "TRANSACTION_NOT_PERMITTED" : undefined;
}

const refusalToPay = (card: ModelCard): CodeName | undefined =>
  card.status === "Frozen" ? "CARD_NOT_ACTIVE" : refusalToReceive(card);

function changeStatus(
  card: ModelCard,
  from: ModelCard["status"],
  to: ModelCard["status"],
): Prediction {
  if (card.status === "Terminated") return "CARD_CLOSED";
  if (card.status !== from) return "CARD_NOT_ACTIVE";
  card.status = to;
  return "SUCCESS";
}

/** Oldest first, each whole or not at all. */
function collect(account: ModelAccount, cards: readonly ModelCard[]): void {
  const owed = cards
    .flatMap((card) => card.charges.map((charge) => ({ card, charge })))
    .sort((a, b) => a.charge.order - b.charge.order);
  for (const { card, charge } of owed) {
    if (charge.cents > available(account)) continue;
    account.posted -= charge.cents;
    card.charges = card.charges.filter((each) => each !== charge);
  }
}
