import type { CodeName } from "../foundation/codes.ts";
import type { Hold, NewAccount } from "../ledger/accounts.ts";
import type { Posting } from "../ledger/postings.ts";
import type { Need, RowChange } from "./table.ts";
import type { View } from "./view.ts";

/** Something that happened and is worth telling. Written with its cause, delivered later. */
export interface EventDraft {
  eventType: string;
  cardId?: string | undefined;
  /** Counts the events of a card, without gaps. */
  sequence?: bigint | undefined;
  clientReference?: string | undefined;
  /** The payment that this event opens. It is stored without the transaction's fields; readers add them. */
  opensTransactionId?: string | undefined;
  data: unknown;
}

/** What an operation wants done, as data. The engine writes it, or none of it. */
export interface Effects {
  accounts?: NewAccount[];
  postings: Omit<Posting, "organizationId">[];
  holds?: Hold[];
  rows?: RowChange[];
  events: EventDraft[];
}

export type Decision<Answer> = Refusal | Acceptance<Answer>;

export interface Refusal {
  refused: CodeName;
  message?: string;
}

export interface Acceptance<Answer> {
  effects: Effects;
  answer: Answer;
  resourceId?: string;
  /** The request is not over with this: its Reference is judged, but settled by a later operation. */
  isUnsettled?: boolean;
}

/** An operation says which rows it needs and decides purely: no clock, no randomness, no I/O. */
export interface Operation<Input, Answer> {
  name: string;
  /** The balance-keeping accounts it reads or moves, or whose rows it changes; the engine locks them. */
  accounts(input: Input): string[];
  /** What else it reads, as a rule; the engine loads it once the accounts are locked. See View for what is seldom wanted. */
  needs?(input: Input): Need[];
  decide(view: View, input: Input, now: Date): Decision<Answer>;
}
