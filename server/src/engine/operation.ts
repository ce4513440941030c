import type { CodeName } from "../foundation/codes.ts";
import type { Posting } from "../ledger/postings.ts";
import type { View } from "./view.ts";

/** Something that happened and is worth telling. Written with its cause, delivered later. */
export interface EventDraft {
  eventType: string;
  cardId?: string;
  clientReference?: string;
  data: unknown;
}

/** What an operation wants done, as data. The engine writes it, or none of it. */
export interface Effects {
  postings: Omit<Posting, "organizationId">[];
  events: EventDraft[];
}

export type Decision<Answer> =
  | { refused: CodeName; message?: string }
  | { effects: Effects; answer: Answer; resourceId?: string };

/** An operation says which rows it needs and decides purely: no clock, no randomness, no I/O. */
export interface Operation<Input, Answer> {
  name: string;
  /** The balance-keeping accounts it reads or moves; the engine locks and loads them. */
  accounts(input: Input): string[];
  decide(view: View, input: Input, now: Date): Decision<Answer>;
}
