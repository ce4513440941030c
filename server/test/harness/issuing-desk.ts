import { afterAll, beforeAll } from "vitest";
import { type ApiAnswer, newReference } from "./api-client.ts";
import { type Bank, openBank } from "./bank.ts";
import { openCustomer } from "./customers.ts";

export type CardKind = "retail" | "corporate" | "lite";

/** Where the tests of a file issue cards: a bank, and somebody of each kind to issue them to. */
export function issuingDesk(): IssuingDesk {
  const desk = new IssuingDesk();
  beforeAll(() => desk.open());
  afterAll(() => desk.bank.stop());
  return desk;
}

export class IssuingDesk {
  bank!: Bank;
  /** A person. */
  ada!: string;
  /** A business. */
  firm!: string;

  async open(): Promise<void> {
    this.bank = await openBank();
    this.ada = await this.customer();
    this.firm = await this.customer({ type: "Business" });
  }

  customer(change: Parameters<typeof openCustomer>[2] = {}): Promise<string> {
    return openCustomer(this.bank.pool, this.bank.organizationId, change);
  }

  issue(kind: CardKind, body: object, reference = newReference()): Promise<ApiAnswer> {
    return this.bank.client.post(`/cards/${kind}`, body, { reference });
  }

  /** The least that a body of each kind needs. */
  bodyOf(kind: CardKind): object {
    return kind === "lite"
      ? { customerId: this.ada, balance: 5, swipeCount: 3 }
      : { customerId: kind === "retail" ? this.ada : this.firm };
  }

  async walletBalance(currency = "USD"): Promise<bigint> {
    return this.bank.balanceOf(await this.bank.walletId(currency));
  }

  async cardsOf(customerId: string): Promise<number> {
    const { rows } = await this.bank.pool.query("select from cards where customer_id = $1", [
      customerId,
    ]);
    return rows.length;
  }
}
