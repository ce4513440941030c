import { type ApiAnswer, newReference } from "./api-client.ts";
import { type Bank, openBank } from "./bank.ts";
import { openCustomer } from "./customers.ts";

export type CardKind = "retail" | "corporate" | "lite";

/** Where cards are issued: a bank, and somebody of each kind to issue them to. */
export class IssuingDesk {
  readonly bank: Bank;
  /** A person. */
  readonly ada: string;
  /** A business. */
  readonly firm: string;

  private constructor(bank: Bank, ada: string, firm: string) {
    this.bank = bank;
    this.ada = ada;
    this.firm = firm;
  }

  static async open(): Promise<IssuingDesk> {
    const bank = await openBank();
    const { pool, organizationId } = bank;
    const ada = await openCustomer(pool, organizationId);
    const firm = await openCustomer(pool, organizationId, { type: "Business" });
    return new IssuingDesk(bank, ada, firm);
  }

  close(): Promise<void> {
    return this.bank.stop();
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
