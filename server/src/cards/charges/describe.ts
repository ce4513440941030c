import { formatAmount } from "../../foundation/money.ts";
import type { Charge } from "./charge.ts";

export type DescribedCharge = ReturnType<typeof describeCharge>;

/** A charge as clients see it, in answers and in events. */
export function describeCharge(charge: Charge) {
  const { chargeId, cardId, transactionId, currency, status, collectedAt } = charge;
  return {
    chargeId,
    cardId,
    transactionId,
    amount: formatAmount(charge.amountMinor, currency),
    currency,
    status,
    createdAt: charge.createdAt.toISOString(),
    ...(collectedAt === null ? {} : { collectedAt: collectedAt.toISOString() }),
  };
}
