import type { Purchase } from "../../src/authorization/purchase.ts";
import type { CardFacts } from "../../src/cards/card.ts";
import { newId } from "../../src/foundation/ids.ts";

/** A plain purchase of 1.00, for tests that change what matters to them. */
export function anyPurchase(card: CardFacts, now: Date): Purchase {
  const transactionId = newId("txn", now.getTime());
  return {
    transactionId,
    requestType: "Authorization",
    card,
    amountMinor: 1_00n,
    currency: card.currency,
    billing: { amountMinor: 1_00n, rate: null },
    merchant: { mid: "M1", mcc: "5411", name: "Shop", city: "Lagos", country: "US" },
    entryMode: "Ecommerce",
    cvv: "Absent",
    networkReference: transactionId,
    approvalCode: "ABC123",
    holdDays: 7,
    chargeTransactionIds: [],
  };
}
