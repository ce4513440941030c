import type { Statement } from "../db/lane.ts";
import { codes } from "../foundation/codes.ts";
import { Failure } from "../foundation/failure.ts";
import { type Account, insertAccounts, saveAccounts } from "../ledger/accounts.ts";
import { type BookedPosting, insertPostings } from "../ledger/postings.ts";
import { type Claim, judge, type Known, type Outcome } from "../references/claim.ts";
import { type OutcomeRow, writeOutcomes } from "../references/store.ts";
import { type Event, insertEvents } from "./events.ts";
import type { Acceptance, Effects, EventDraft, Operation, Refusal } from "./operation.ts";
import type { LoadedRows } from "./rows.ts";
import { Lacking, type Need } from "./table.ts";
import { BatchView } from "./view.ts";

/** One operation on its way through the engine. */
export interface Job {
  operation: Operation<unknown, unknown>;
  organizationId: string;
  input: unknown;
  claim: Claim | undefined;
}

/** What the database said about a batch's rows, once they were locked. */
export interface Loaded {
  accounts: Account[];
  rows: LoadedRows[];
  known: Known[];
  /** The generation of References that is written to. */
  generation: number;
}

export type Verdict =
  | { answer: unknown; isUnsettled?: boolean }
  | { failure: Failure; isUnsettled?: boolean };

export interface DecidedBatch {
  /** What has to be read before anything is decided, if anything. */
  lacking: OwnedNeed[];
  verdicts: Verdict[];
  writes: Statement[];
  /** A Reference that this batch uses up: where it is found, the batch was committed. */
  witness: Claim | undefined;
}

export interface OwnedNeed {
  organizationId: string;
  need: Need;
}

/** Decides the jobs of a batch in order; each sees what those before it did. Pure. */
export function decideBatch(jobs: readonly Job[], loaded: Loaded, now: Date): DecidedBatch {
  const batch: Batch = {
    view: new BatchView(loaded.accounts, loaded.rows),
    known: new Map(loaded.known.map((row) => [referenceKey(row), row])),
    written: { postings: [], events: [], outcomes: [] },
    now,
  };
  const verdicts: Verdict[] = [];
  const lacking: OwnedNeed[] = [];
  for (const job of jobs) {
    try {
      verdicts.push(decide(job, batch));
    } catch (error) {
      // Behind a job that was not decided, what went wrong may be no more than that.
      if (error instanceof Lacking) {
        const { organizationId } = job;
        lacking.push(...error.needs.map((need) => ({ organizationId, need })));
      } else if (lacking.length === 0) throw error;
    }
  }
  if (lacking.length > 0) return { lacking, verdicts: [], writes: [], witness: undefined };
  const { outcomes } = batch.written;
  return {
    lacking,
    verdicts,
    writes: writesOf(batch, loaded.generation),
    witness: outcomes.find(({ outcome }) => outcome.state === "Succeeded")?.claim,
  };
}

interface Batch {
  view: BatchView;
  known: ReadonlyMap<string, Known>;
  written: Written;
  now: Date;
}

function decide(job: Job, { view, known, written, now }: Batch): Verdict {
  const before = job.claim && known.get(referenceKey(job.claim));
  const usedUp = job.claim && judge(job.claim, before, now.getTime());
  if (usedUp !== undefined) {
    // What another process is still working on can be asked for again.
    return before?.state === "InProgress"
      ? { failure: usedUp, isUnsettled: true }
      : { failure: usedUp };
  }

  const decision = job.operation.decide(view.of(job.organizationId), job.input, now);
  if ("refused" in decision) {
    note(failed(decision), job, before, written);
    return { failure: failureOf(decision) };
  }
  apply(decision.effects, job, view, written);
  if (decision.isUnsettled === true) return { answer: decision.answer, isUnsettled: true };
  note(succeeded(decision), job, before, written);
  return { answer: decision.answer };
}

interface Written {
  postings: BookedPosting[];
  events: Event[];
  outcomes: OutcomeRow[];
}

function apply(effects: Effects, job: Job, view: BatchView, written: Written): void {
  const { organizationId, claim } = job;
  for (const account of effects.accounts ?? []) view.open(organizationId, account);
  for (const posting of effects.postings) {
    written.postings.push(view.book(organizationId, posting, claim?.reference));
  }
  for (const hold of effects.holds ?? []) view.hold(organizationId, hold);
  for (const change of effects.rows ?? []) view.change(organizationId, change);
  for (const draft of effects.events) written.events.push(eventOf(organizationId, draft));
}

/** Field by field, so that all events have one shape, which is quicker to read. */
function eventOf(organizationId: string, draft: EventDraft): Event {
  const { eventType, cardId, sequence, clientReference, opensTransactionId, data } = draft;
  return { organizationId, eventType, cardId, sequence, clientReference, opensTransactionId, data };
}

function writesOf({ view, written, now }: Batch, generation: number): Statement[] {
  view.keepInAccounts();
  const opened = view.opened();
  const touched = view.touched();
  const writes: Statement[] = [];
  if (opened.length > 0) writes.push(insertAccounts(opened, now));
  if (touched.length > 0) writes.push(saveAccounts(touched));
  writes.push(...view.rows.writes());
  if (written.postings.length > 0) writes.push(insertPostings(written.postings, now));
  if (written.events.length > 0) writes.push(...insertEvents(written.events, now));
  // References come last: whoever waits for another's Reference already holds all its other locks.
  writes.push(...writeOutcomes(written.outcomes, now, generation));
  return writes;
}

/** Where it was asked for with a Reference, that is used up. */
function note(outcome: Outcome, { claim }: Job, before: Known | undefined, written: Written): void {
  if (claim === undefined) return;
  written.outcomes.push({ claim, seenAttempt: before?.attempt ?? 0, outcome });
}

function failed({ refused }: Refusal): Outcome {
  const { code, httpStatus } = codes[refused];
  return { state: "Failed", httpStatus, responseCode: code };
}

function succeeded({ resourceId }: Acceptance<unknown>): Outcome {
  const { code, httpStatus } = codes.SUCCESS;
  return { state: "Succeeded", httpStatus, responseCode: code, resourceId };
}

function failureOf({ refused, message }: Refusal): Failure {
  return new Failure(refused, message === undefined ? {} : { message });
}

const referenceKey = (of: { clientId: string; reference: string }): string =>
  `${of.clientId} ${of.reference}`;
