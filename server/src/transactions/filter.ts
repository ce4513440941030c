import type { Currency } from "../foundation/currencies.ts";
import type { TimeRange } from "../foundation/dates.ts";
import type { TransactionStage, TransactionType } from "./transaction.ts";

/** Which transactions are asked for; what is not named may be anything. */
export interface TransactionFilter {
  cardId?: string | undefined;
  customerId?: string | undefined;
  type?: TransactionType | undefined;
  stage?: TransactionStage | undefined;
  currency?: Currency | undefined;
  approved?: boolean | undefined;
  range: TimeRange;
}
