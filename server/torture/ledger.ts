/** A request that moves money, and what is known of its outcome. */
export interface Deed {
  kind: "deposit" | "top-up" | "withdraw" | "transfer" | "buy" | "settle" | "reverse" | "refund";
  reference: string;
  path: string;
  body: Record<string, unknown>;
  cents: number;
  cardId?: string;
  toCardId?: string;
  transactionId?: string;
  outcome: "Succeeded" | "Refused" | "Unknown";
}

interface Payment {
  cardId: string;
  isApproved: boolean;
  cents: number;
  settled: number;
  reversed: number;
  refunded: number;
  /** How many messages have followed the first. */
  messages: number;
}

/** What everything should come to, added up from the deeds that succeeded. */
export class Ledger {
  walletCents = 0;
  readonly payments = new Map<string, Payment>();
  readonly #balances = new Map<string, { cents: number }>();

  open(cardId: string, cents: number): void {
    this.#balances.set(cardId, { cents });
  }

  /** Lets a card spend from the balance of another. */
  share(cardId: string, originalId: string): void {
    this.#balances.set(cardId, this.#balanceOf(originalId));
  }

  /** What each card should show. */
  get balances(): [cardId: string, cents: number][] {
    return [...this.#balances].map(([cardId, { cents }]) => [cardId, cents]);
  }

  /** Counts a deed that succeeded; `answer` is the transaction it made or changed. */
  count(deed: Deed, answer: { transactionId?: string; approved?: boolean }): void {
    const { kind, cents, cardId = "", toCardId = "" } = deed;
    switch (kind) {
      case "deposit":
        this.walletCents += cents;
        return;
      case "top-up":
        this.walletCents -= cents;
        this.#move(cardId, cents);
        return;
      case "withdraw":
        this.walletCents += cents;
        this.#move(cardId, -cents);
        return;
      case "transfer":
        this.#move(cardId, -cents);
        this.#move(toCardId, cents);
        return;
      case "buy":
        this.#begin(deed, answer);
        return;
      default:
        this.#follow(deed);
    }
  }

  #begin(
    { cents, cardId = "" }: Deed,
    answer: { transactionId?: string; approved?: boolean },
  ): void {
    this.payments.set(answer.transactionId ?? "", {
      cardId,
      isApproved: answer.approved === true,
      cents,
      settled: 0,
      reversed: 0,
      refunded: 0,
      messages: 0,
    });
  }

  #follow({ kind, cents, transactionId = "" }: Deed): void {
    const payment = this.payments.get(transactionId);
    if (payment === undefined) throw new Error(`A message about no payment: ${transactionId}`);
    payment.messages += 1;
    if (kind === "settle") {
      payment.settled += cents;
      this.#move(payment.cardId, -cents);
    } else if (kind === "refund") {
      payment.refunded += cents;
      this.#move(payment.cardId, cents);
    } else {
      payment.reversed += cents;
    }
  }

  #move(cardId: string, cents: number): void {
    this.#balanceOf(cardId).cents += cents;
  }

  #balanceOf(cardId: string): { cents: number } {
    const balance = this.#balances.get(cardId);
    if (balance === undefined) throw new Error(`A card that nobody opened: ${cardId}`);
    return balance;
  }
}
