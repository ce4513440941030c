import { afterAll, beforeAll, expect, test } from "vitest";
import type { AcquirerConnection } from "../src/network/acquirer/connection.ts";
import type { Message } from "../src/network/iso8583/fields.ts";
import { networkResponseOf } from "../src/network/iso8583/response.ts";
import {
  heard,
  type IssuedCard,
  type NetworkSandbox,
  startNetworkSandbox,
} from "./harness/network.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
type Data = any;

let network: NetworkSandbox;
let acquirer: AcquirerConnection;
beforeAll(async () => {
  network = await startNetworkSandbox();
  acquirer = await network.connect();
});
afterAll(async () => {
  expect(await network.problems()).toEqual([]);
  await network.stop();
});

const merchant = {
  mid: "ACQUIRER1",
  mcc: "5999",
  name: "FLORIN ACQUIRER",
  city: "ANYWHERE",
  country: "US",
};

/** One step of a payment's life; amounts in minor units. */
type Step =
  | { do: "buy"; amount: number; currency?: "USD" | "EUR" | "JPY"; kind?: Kind; change?: Change }
  | { do: "settle" | "refund" | "reverse"; amount?: number; of: number }
  | { do: "leave"; amount: number; was: number; of: number }
  | { do: "force"; amount: number }
  | { do: "credit"; amount: number };
type Kind = "Authorization" | "PreAuthorization" | "CashWithdrawal";
type Change = "contactless" | "abroad" | "wrong CVV" | "wrong expiry";

const scenarios: Record<string, { balance: number; card?: object; steps: Step[] }> = {
  "bought, settled, refunded": {
    balance: 100,
    steps: [
      { do: "buy", amount: 6_000 },
      { do: "buy", amount: 4_001 },
      { do: "settle", amount: 5_500, of: 0 },
      { do: "refund", amount: 5_501, of: 0 },
      { do: "refund", amount: 2_000, of: 0 },
      { do: "refund", amount: 3_500, of: 0 },
    ],
  },
  "reversed in part, then whole, then once more": {
    balance: 100,
    steps: [
      { do: "buy", amount: 6_000 },
      { do: "leave", amount: 2_000, was: 6_000, of: 0 },
      { do: "reverse", of: 0 },
      { do: "reverse", of: 0 },
      { do: "settle", amount: 6_000, of: 0 },
    ],
  },
  "abroad, in another currency, more than there is": {
    balance: 100,
    steps: [
      { do: "buy", amount: 5_000, currency: "EUR", change: "abroad" },
      { do: "settle", amount: 5_000, of: 0 },
      { do: "buy", amount: 4_000, currency: "EUR", change: "abroad" },
      { do: "settle", amount: 9_000, of: 1 },
      { do: "refund", amount: 4_000, of: 1 },
      { do: "buy", amount: 1 },
    ],
  },
  "declines of every kind": {
    balance: 100,
    card: { cardLimits: { transactionLimit: 50, dailyLimit: 60 }, blackListedMccs: ["7995"] },
    steps: [
      { do: "buy", amount: 5_001 },
      { do: "buy", amount: 5_000 },
      { do: "buy", amount: 1_001 },
      { do: "buy", amount: 100, change: "contactless" },
      { do: "buy", amount: 100, change: "wrong CVV" },
      { do: "buy", amount: 100, change: "wrong expiry" },
      { do: "buy", amount: 100, currency: "JPY" },
      { do: "settle", amount: 5_000, of: 1 },
    ],
  },
  "cash, a pre-authorization, a verification": {
    balance: 100,
    steps: [
      { do: "buy", amount: 2_000, kind: "CashWithdrawal" },
      { do: "settle", amount: 2_000, of: 0 },
      { do: "buy", amount: 3_000, kind: "PreAuthorization" },
      { do: "settle", amount: 3_500, of: 1 },
      { do: "buy", amount: 0 },
    ],
  },
  "posted without anything before": {
    balance: 10,
    steps: [
      { do: "force", amount: 1_500 },
      { do: "buy", amount: 1 },
      { do: "credit", amount: 700 },
      { do: "buy", amount: 200 },
    ],
  },
};

test.each(Object.entries(scenarios))(
  "%s: the simulator and ISO 8583 decide the same and leave the same ledger",
  async (_what, { balance, card, steps }) => {
    const [one, two] = [await network.issue(balance, card), await network.issue(balance, card)];
    const simulated = await simulate(one, steps);
    const exchanged = await exchange(two, steps);
    expect(exchanged).toEqual(simulated.map(networkResponseOf));
    expect(await ledgerOf(two)).toEqual(await ledgerOf(one));
    const [first, second] = [await recordsOf(one), await recordsOf(two)];
    expect(second).toEqual(first);
    expect(first.length).toBeGreaterThan(1);
  },
);

/** Through the simulator's routes: the response code of every step. */
async function simulate(card: IssuedCard, steps: Step[]): Promise<string[]> {
  const bought: string[] = [];
  const codes: string[] = [];
  const { cardId } = card;
  for (const step of steps) {
    const body: Data = "amount" in step ? { amount: step.amount / 100 } : {};
    if (step.do === "buy") {
      const { currency = "USD", kind = "Authorization", change } = step;
      const data = await post("/simulator/authorizations", {
        ...body,
        amount: currency === "JPY" ? step.amount : body.amount,
        cardId,
        currency,
        requestType: kind,
        merchant: { ...merchant, country: change === "abroad" ? "FR" : "US" },
        ...(change === "contactless" ? { entryMode: "Contactless" } : {}),
        cvv: change === "wrong CVV" ? otherCvv(card) : card.cvv,
        expiryMonth: card.expiry?.month,
        expiryYear: change === "wrong expiry" ? 2020 : card.expiry?.year,
      });
      bought.push(data.transactionId);
      codes.push(data.responseCode);
    } else if (step.do === "force" || step.do === "credit") {
      const path = step.do === "force" ? "settlements" : "refunds";
      codes.push((await post(`/simulator/${path}`, { ...body, cardId, merchant })).responseCode);
    } else {
      const path = `/simulator/transactions/${bought[step.of]}`;
      const isPartial = step.do === "leave";
      const sent = isPartial ? { amount: (step.was - step.amount) / 100 } : body;
      const action = isPartial ? "reverse" : step.do;
      const data = await post(`${path}/${action}`, sent);
      codes.push(data.transactionId === undefined ? data.responseCode : "000");
    }
  }
  return codes;
}

const post = async (path: string, body: object): Promise<Data> => {
  const answer = await network.client.post(path, body);
  return answer.body.data ?? answer.body;
};

/** Through the gateway: DE 39 of every step. */
async function exchange(card: IssuedCard, steps: Step[]): Promise<string[]> {
  const { terminal } = network;
  const bought: { purchase: Message; currency: "USD" | "EUR" | "JPY" }[] = [];
  const responses: string[] = [];
  const ask = async (message: Message) => responses.push(heard(await acquirer.ask(message)));
  for (const step of steps) {
    if (step.do === "buy") {
      const { currency = "USD", kind = "Authorization", change } = step;
      const shown = {
        ...card,
        ...(change === "wrong CVV" ? { cvv: otherCvv(card) } : {}),
        ...(change === "wrong expiry" ? { expiry: { month: 1, year: 2020 } } : {}),
      };
      const abroad = "FLORIN ACQUIRER".padEnd(25) + "ANYWHERE".padEnd(13);
      const purchase = terminal.purchase(shown, BigInt(step.amount), {
        currency,
        kind: kinds[kind],
        fields: {
          ...(change === "contactless" ? { 22: "071" } : {}),
          ...(change === "abroad" ? { 43: `${abroad}FR` } : {}),
        },
      });
      bought.push({ purchase, currency });
      await ask(purchase);
    } else if (step.do === "force" || step.do === "credit") {
      const unheard = terminal.purchase(card, BigInt(step.amount));
      const write = step.do === "force" ? terminal.completion : terminal.refund;
      await ask(write.call(terminal, unheard, BigInt(step.amount), "USD"));
    } else {
      const original = bought[step.of];
      if (original === undefined) throw new RangeError("A step about nothing.");
      const { purchase, currency } = original;
      const amountMinor = BigInt(step.amount ?? 0);
      if (step.do === "settle") await ask(terminal.completion(purchase, amountMinor, currency));
      else if (step.do === "refund") await ask(terminal.refund(purchase, amountMinor, currency));
      else {
        const left = step.do === "leave" ? { remainingMinor: amountMinor } : {};
        await ask(terminal.reversal(purchase, left));
      }
    }
  }
  return responses;
}

const kinds = {
  Authorization: "purchase",
  PreAuthorization: "pre-authorization",
  CashWithdrawal: "cash",
} as const;

const otherCvv = ({ cvv }: IssuedCard): string => (cvv === "111" ? "112" : "111");

/** All postings of a card's account in order, with the balances they left, and what it holds. */
async function ledgerOf({ cardId }: IssuedCard): Promise<unknown> {
  const { rows } = await network.pool.query(
    `select p.kind, p.amount_minor as amount, p.currency,
            case when p.debit_account_id = c.account_id then 'debit' else 'credit' end as side,
            case when p.debit_account_id = c.account_id then p.credit_account_id else p.debit_account_id end
              as other,
            coalesce(p.debit_balance_minor, p.credit_balance_minor) as balance
       from cards c join postings p on p.organization_id = c.organization_id
            and c.account_id in (p.debit_account_id, p.credit_account_id)
      where c.card_id = $1 and p.kind not in ('InitialFunding', 'Issue')
      order by p.posting_id`,
    [cardId],
  );
  const { balance, heldAmount, availableBalance } = await network.get(`/cards/${cardId}`);
  const postings = rows.filter(({ other }) => !String(other).startsWith("wal_"));
  return { postings, balance, heldAmount, availableBalance };
}

/** The card's transactions without what names them, oldest first, and its events. */
async function recordsOf({ cardId }: IssuedCard): Promise<unknown[]> {
  const transactions: Data[] = await network.transactionsOf(cardId);
  const { rows } = await network.pool.query(
    `select event_type as type, sequence from events where card_id = $1 order by sequence`,
    [cardId],
  );
  const plain = await Promise.all(
    transactions.reverse().map(async ({ transactionId }) => {
      const { decision, ...record } = await network.get(`/transactions/${transactionId}`);
      const {
        transactionId: _id,
        cardId: _card,
        customerId: _customer,
        approvalCode,
        networkReference: _reference,
        createdAt: _created,
        updatedAt: _updated,
        events,
        ...kept
      } = record;
      return {
        ...kept,
        hasApprovalCode: approvalCode !== null,
        events: events.map(({ at: _at, ...event }: Data) => event),
        trace: decision?.trace.map(({ us: _us, ...check }: Data) => check),
      };
    }),
  );
  return [...plain, ...rows];
}
