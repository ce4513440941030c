import type { CardCounters, CardTerms } from "../cards/card.ts";
import type { Account } from "../ledger/accounts.ts";
import type { Evaluation } from "./decide.ts";
import type { Facts } from "./facts.ts";
import type { RemoteReport } from "./remote/report.ts";

/** All that a decision is made from: the loaded rows, and the result of every check. */
export interface Assessment {
  terms: CardTerms;
  counters: CardCounters;
  /** The card's own. */
  account: Account;
  /** What pays: the card's own account, or the wallet. */
  funding: Account;
  facts: Facts;
  evaluation: Evaluation;
  /** The code that it is declined with in any case, unless a check has failed, too. */
  barredBy: string | undefined;
  now: Date;
  /** What came of asking the organization. */
  remote?: RemoteReport;
  /** Events to emit besides that of the decision. */
  furtherEvents?: { eventType: string; data: object }[];
}
