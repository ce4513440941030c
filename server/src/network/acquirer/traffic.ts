import type { Message } from "../iso8583/fields.ts";
import type { PresentedCard, Terminal } from "./terminal.ts";

/** How often each kind of message is sent, out of their sum. */
const mix = {
  purchase: 50,
  preAuthorization: 4,
  cash: 4,
  advice: 2,
  single: 10,
  completion: 16,
  reversal: 6,
  partialReversal: 3,
  refund: 3,
  repetition: 2,
};
type Kind = keyof typeof mix;

const MAX_AMOUNT_MINOR = 2_000;

/** How many payments, and how many answers, are kept in mind. */
const MAX_KEPT = 1_000;

interface Payment {
  purchase: Message;
  card: PresentedCard;
  amountMinor: bigint;
}

/** Makes up what acquirers send: purchases and what becomes of them, at random. */
export class Traffic {
  readonly #terminal: Terminal;
  readonly #cards: readonly PresentedCard[];
  readonly #asked = new Map<Message, Payment>();
  readonly #open: Payment[] = [];
  readonly #settled: Payment[] = [];
  readonly #answered: { request: Message; answer: Message }[] = [];
  readonly #repeated = new Map<Message, Message>();

  constructor({ terminal, cards }: { terminal: Terminal; cards: readonly PresentedCard[] }) {
    this.#terminal = terminal;
    this.#cards = cards;
  }

  next(): Message {
    const kind = this.#draw();
    if (kind === "repetition") return this.#repetition();
    if (kind === "refund") return this.#refund();
    if (kind === "completion" || kind === "reversal" || kind === "partialReversal") {
      return this.#followUp(kind);
    }
    return this.#purchase(kind);
  }

  /** Takes note of an answer, and says what is wrong with it, given earlier ones. */
  note(request: Message, answer: Message): string[] {
    const first = this.#repeated.get(request);
    this.#repeated.delete(request);
    if (first !== undefined) {
      const isSame =
        first.fields[39] === answer.fields[39] && first.fields[38] === answer.fields[38];
      return isSame ? [] : ["a repetition was answered otherwise than the first"];
    }
    keep(this.#answered, { request, answer });
    const payment = this.#asked.get(request);
    this.#asked.delete(request);
    if (payment === undefined || answer.fields[39] !== "00") return [];
    if (request.mti === "0220" || request.mti === "0200") keep(this.#settled, payment);
    else keep(this.#open, payment);
    return [];
  }

  #purchase(kind: "purchase" | "preAuthorization" | "cash" | "advice" | "single"): Message {
    const card = this.#cards[below(this.#cards.length)];
    if (card === undefined) throw new RangeError("Traffic needs a card.");
    const amountMinor = 1n + BigInt(below(MAX_AMOUNT_MINOR));
    const purchase = this.#terminal.purchase(card, amountMinor, {
      mti: kind === "advice" ? "0120" : kind === "single" ? "0200" : "0100",
      kind:
        kind === "cash" ? "cash" : kind === "preAuthorization" ? "pre-authorization" : "purchase",
    });
    this.#asked.set(purchase, { purchase, card, amountMinor });
    return purchase;
  }

  #followUp(kind: "completion" | "reversal" | "partialReversal"): Message {
    const payment = this.#take(this.#open);
    if (payment === undefined) return this.#purchase("purchase");
    const { purchase, card, amountMinor } = payment;
    if (kind === "completion") {
      const completion = this.#terminal.completion(purchase, amountMinor, card.currency);
      this.#asked.set(completion, payment);
      return completion;
    }
    const remainingMinor = amountMinor / 2n;
    const isPartial = kind === "partialReversal" && remainingMinor > 0n;
    return this.#terminal.reversal(purchase, isPartial ? { remainingMinor } : {});
  }

  #refund(): Message {
    const payment = this.#take(this.#settled);
    if (payment === undefined) return this.#purchase("single");
    return this.#terminal.refund(payment.purchase, payment.amountMinor, payment.card.currency);
  }

  #repetition(): Message {
    const before = this.#answered[below(this.#answered.length)];
    if (before === undefined) return this.#purchase("purchase");
    const repeated = { ...this.#terminal.repeat(before.request) };
    this.#repeated.set(repeated, before.answer);
    return repeated;
  }

  #draw(): Kind {
    const entries = Object.entries(mix) as [Kind, number][];
    let left = below(entries.reduce((sum, [, weight]) => sum + weight, 0));
    for (const [kind, weight] of entries) {
      left -= weight;
      if (left < 0) return kind;
    }
    return "purchase";
  }

  #take(payments: Payment[]): Payment | undefined {
    const [payment] = payments.splice(below(payments.length), 1);
    return payment;
  }
}

const below = (limit: number): number => Math.floor(Math.random() * limit);

function keep<T>(list: T[], item: T): void {
  if (list.length >= MAX_KEPT) list.shift();
  list.push(item);
}
