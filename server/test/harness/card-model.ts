/**
 * What cards should do, written from the contract alone and as simply as can be: whole cents in one
 * currency, everything in memory, hours instead of times. The service is compared with it.
 */
export interface ModelCard {
  account: ModelAccount;
  type: "Retail" | "Lite";
  status: "Active" | "Frozen" | "Terminated";
  swipes: number;
  swipesUsed: number;
  dailyLimit: number;
  transactionLimit: number;
  spent: Map<number, number>;
  white: Set<string>;
  black: Set<string>;
  unblocked: Set<string>;
  owed: ModelCharge[];
}

export interface ModelCharge {
  /** The older one is smaller. */
  order: number;
  amount: number;
}

export interface ModelAccount {
  cards: ModelCard[];
  posted: number;
  held: number;
}

export interface ModelPayment {
  card: ModelCard;
  stage: string;
  amount: number;
  held: number;
  settled: number;
  reversed: number;
  refunded: number;
  over: boolean;
  isReversed: boolean;
  /** Settled in part, and nobody settled the rest in time. */
  isRestExpired: boolean;
  isAbroad: boolean;
  /** The day. */
  approvedOn: number;
  /** The hour from which on nothing is held. */
  until: number;
}

/** A refusal is its code; otherwise the payment that the answer is about. */
type Answer = string | ModelPayment;

export interface Purchase {
  amount: number;
  requestType: "Authorization" | "PreAuthorization" | "CashWithdrawal";
  mid: string;
  isAbroad: boolean;
}

const CHARGE_RATE = 0.02;
const MINIMUM_LEFT = 100;

export class CardModel {
  readonly payments: ModelPayment[] = [];
  readonly accounts: ModelAccount[] = [];
  wallet: number;
  /** Since a midnight. */
  hour: number;
  #charges = 0;

  constructor({ wallet, hour }: { wallet: number; hour: number }) {
    this.wallet = wallet;
    this.hour = hour;
  }

  get day(): number {
    return Math.floor(this.hour / 24);
  }

  open(balance: number, change: Partial<ModelCard> = {}): ModelCard {
    const account: ModelAccount = change.account ?? { cards: [], posted: balance, held: 0 };
    const card: ModelCard = {
      type: "Retail",
      status: "Active",
      swipes: Number.POSITIVE_INFINITY,
      swipesUsed: 0,
      dailyLimit: Number.POSITIVE_INFINITY,
      transactionLimit: Number.POSITIVE_INFINITY,
      spent: new Map(),
      white: new Set(),
      black: new Set(),
      unblocked: new Set(),
      owed: [],
      ...change,
      account,
    };
    if (account.cards.length === 0) this.accounts.push(account);
    account.cards.push(card);
    return card;
  }

  buy(
    card: ModelCard,
    { amount, requestType, mid, isAbroad }: Purchase,
  ): { code: string } & ModelPayment {
    const code = decide(card, amount, mid, this.day);
    if (code !== "143" && code !== "141") card.unblocked.delete(mid);
    const payment: ModelPayment = {
      card,
      stage: code === "000" ? "Authorization" : "Declined",
      amount,
      held: code === "000" ? amount : 0,
      settled: 0,
      reversed: 0,
      refunded: 0,
      over: false,
      isReversed: false,
      isRestExpired: false,
      isAbroad,
      approvedOn: this.day,
      until: this.hour + (requestType === "PreAuthorization" ? 31 : 7) * 24,
    };
    this.payments.push(payment);
    if (code === "000" && amount > 0) this.#hold(card, amount);
    return Object.assign(payment, { code });
  }

  #hold(card: ModelCard, amount: number): void {
    card.account.held += amount;
    spend(card, this.day, amount);
    if (card.type !== "Lite") return;
    card.swipesUsed += 1;
    if (card.swipesUsed >= card.swipes || available(card) === 0) this.#close(card);
  }

  /** A lite card whose money is gone is over; what is held may come back. */
  #endIfSpent(card: ModelCard): void {
    const isOver = card.type === "Lite" && card.status !== "Terminated" && card.account.posted <= 0;
    if (isOver) this.#close(card);
  }

  settle(payment: ModelPayment, amount: number | undefined, isPartial: boolean): Answer {
    if (payment.stage === "Declined") return "133";
    const { card, held } = payment;
    const wanted = amount ?? (held > 0 ? held : goneOf(payment));
    if (wanted === 0) return "133";
    const kept = isPartial ? Math.max(held - wanted, 0) : 0;
    this.#release(payment, held - kept);
    payment.settled += wanted;
    payment.stage = "Settlement";
    payment.isRestExpired = false;
    payment.over ||= payment.settled > payment.amount - payment.reversed;
    spend(card, payment.approvedOn, wanted);
    card.account.posted -= wanted;
    if (payment.isAbroad) this.#charge(card, wanted);
    this.#endIfSpent(card);
    this.#payOut(card.account);
    return payment;
  }

  reverse(payment: ModelPayment, amount = payment.held): Answer {
    if (payment.held === 0) return payment.isReversed ? "175" : "133";
    if (amount > payment.held) return "165";
    this.#release(payment, amount);
    payment.reversed += amount;
    payment.isReversed = payment.held === 0;
    if (payment.held === 0 && payment.settled === 0) payment.stage = "Reversal";
    this.#payOut(payment.card.account);
    return payment;
  }

  refund(payment: ModelPayment, amount = payment.settled - payment.refunded): Answer {
    if (amount === 0 || amount > payment.settled - payment.refunded) return "235";
    payment.refunded += amount;
    payment.stage = "Refund";
    payment.card.account.posted += amount;
    this.#payOut(payment.card.account);
    return payment;
  }

  forcePost(card: ModelCard, amount: number, isAbroad: boolean): ModelPayment {
    const payment = this.#posted(card, amount, { stage: "Settlement", settled: amount, isAbroad });
    spend(card, this.day, amount);
    card.account.posted -= amount;
    if (isAbroad) this.#charge(card, amount);
    this.#endIfSpent(card);
    this.#payOut(card.account);
    return payment;
  }

  refundUnlinked(card: ModelCard, amount: number): ModelPayment {
    const payment = this.#posted(card, amount, { stage: "Refund", refunded: amount });
    card.account.posted += amount;
    this.#payOut(card.account);
    return payment;
  }

  #posted(card: ModelCard, amount: number, change: Partial<ModelPayment>): ModelPayment {
    const payment: ModelPayment = {
      card,
      stage: "",
      amount,
      held: 0,
      settled: 0,
      reversed: 0,
      refunded: 0,
      over: false,
      isReversed: false,
      isRestExpired: false,
      isAbroad: false,
      approvedOn: this.day,
      until: this.hour,
      ...change,
    };
    // An unlinked refund can be taken no further.
    if (change.settled !== undefined) this.payments.push(payment);
    return payment;
  }

  advance(hours: number): void {
    this.hour += hours;
    for (const payment of this.payments) {
      if (payment.held === 0 || payment.until > this.hour) continue;
      this.#release(payment, payment.held);
      if (payment.settled === 0) payment.stage = "Expired";
      else payment.isRestExpired = true;
      this.#payOut(payment.card.account);
    }
  }

  topUp(card: ModelCard, amount: number): string {
    if (card.status === "Terminated") return "143";
    if (card.type === "Lite") return "119";
    if (amount > this.wallet) return "116";
    card.account.posted += amount;
    this.wallet -= amount;
    return "000";
  }

  withdraw(card: ModelCard, amount: number): string {
    if (card.status === "Frozen") return "117";
    if (card.status === "Terminated") return "143";
    if (card.type === "Lite") return "119";
    if (available(card) - amount < MINIMUM_LEFT) return "116";
    card.account.posted -= amount;
    this.wallet += amount;
    return "000";
  }

  freeze(card: ModelCard, isFrozen: boolean): string {
    if (card.status === "Terminated") return "143";
    if ((card.status === "Frozen") === isFrozen) return "117";
    card.status = isFrozen ? "Frozen" : "Active";
    return "000";
  }

  /** Replaces all limits: one that is not given is gone. */
  limit(card: ModelCard, { daily, once }: { daily: number | undefined; once: number | undefined }) {
    if (card.status === "Terminated") return "143";
    card.dailyLimit = daily ?? Number.POSITIVE_INFINITY;
    card.transactionLimit = once ?? Number.POSITIVE_INFINITY;
    return "000";
  }

  terminate(card: ModelCard): string {
    if (card.status === "Terminated") return "143";
    this.#close(card);
    this.#payOut(card.account);
    return "000";
  }

  reprocess(card: ModelCard): string {
    collect(card.account, [card]);
    this.#endIfSpent(card);
    return "000";
  }

  regularize({ account }: ModelCard): string {
    if (!isClosed(account) || account.posted >= 0) return "119";
    if (-account.posted > this.wallet) return "116";
    this.wallet += account.posted;
    account.posted = 0;
    return "000";
  }

  /** The result for one merchant. */
  control(card: ModelCard, path: string, mid: string): string {
    if (card.status === "Terminated") return "143";
    const isBlack = card.black.has(mid);
    if (path === "one-time-unblock") {
      if (isBlack) card.unblocked.add(mid);
      return isBlack ? "Unblocked" : "NotListed";
    }
    const list = path.startsWith("black") ? card.black : card.white;
    if (!path.endsWith("remove")) {
      const result = list.has(mid) ? "AlreadyListed" : "Added";
      list.add(mid);
      return result;
    }
    if (list === card.black) card.unblocked.delete(mid);
    return list.delete(mid) ? "Removed" : "NotListed";
  }

  #close(card: ModelCard): void {
    card.status = "Terminated";
    collect(card.account, isClosed(card.account) ? card.account.cards : [card]);
  }

  #charge(card: ModelCard, settled: number): void {
    const amount = Math.round(settled * CHARGE_RATE);
    if (amount === 0) return;
    // Nothing but reprocessing and termination tries the older ones again.
    if (amount <= available(card)) card.account.posted -= amount;
    else card.owed.push({ order: ++this.#charges, amount });
  }

  #release(payment: ModelPayment, amount: number): void {
    payment.held -= amount;
    payment.card.account.held -= amount;
    spend(payment.card, payment.approvedOn, -amount);
  }

  #payOut(account: ModelAccount): void {
    if (!isClosed(account) || account.held > 0 || account.posted <= 0) return;
    this.wallet += account.posted;
    account.posted = 0;
  }
}

function decide(card: ModelCard, amount: number, mid: string, day: number): string {
  if (card.status === "Terminated") return "143";
  if (card.status === "Frozen") return "141";
  if (card.white.size > 0) {
    if (!card.white.has(mid)) return "125";
  } else if (card.black.has(mid) && !card.unblocked.has(mid)) return "186";
  if (amount > card.transactionLimit) return "129";
  if ((card.spent.get(day) ?? 0) + amount > card.dailyLimit) return "129";
  if (card.swipesUsed >= card.swipes) return "130";
  return amount > available(card) ? "116" : "000";
}

/** What was held once, and can be settled all the same. */
function goneOf({ stage, amount, settled, reversed, isRestExpired }: ModelPayment): number {
  if (stage === "Reversal") return amount;
  return stage === "Expired" || isRestExpired ? amount - settled - reversed : 0;
}

export const available = ({ account }: ModelCard): number => account.posted - account.held;

const isClosed = ({ cards }: ModelAccount): boolean =>
  cards.every(({ status }) => status === "Terminated");

function spend(card: ModelCard, day: number, amount: number): void {
  card.spent.set(day, (card.spent.get(day) ?? 0) + amount);
}

/** Oldest first, each whole or not at all. */
function collect(account: ModelAccount, cards: readonly ModelCard[]): void {
  const owed = cards
    .flatMap((card) => card.owed.map((charge) => ({ card, charge })))
    .sort((a, b) => a.charge.order - b.charge.order);
  for (const { card, charge } of owed) {
    if (charge.amount > account.posted - account.held) continue;
    account.posted -= charge.amount;
    card.owed = card.owed.filter((each) => each !== charge);
  }
}
