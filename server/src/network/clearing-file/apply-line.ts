import type { FoundCard } from "../../cards/by-pan.ts";
import type { Pool } from "../../db/pool.ts";
import { homeOf, type Programme } from "../../programmes/programmes.ts";
import { paymentFactsOf } from "../../transactions/facts.ts";
import type { Transaction } from "../../transactions/transaction.ts";
import type { NetworkDoor } from "../door.ts";
import type { ClearingLine } from "./line.ts";
import {
  type Candidate,
  chooseForLine,
  isDoneBy,
  isUnconfirmed,
  outcomeAlone,
  outcomeOf,
} from "./reconcile.ts";
import { findCandidates, findPosted, type ImportedLine } from "./store.ts";

/** A try fails only if a message about the same payment comes meanwhile, so that a second one is rare. */
const MAX_TRIES = 20;

export interface ApplyDeps {
  pool: Pool;
  programmes: readonly Programme[];
  door: NetworkDoor;
}

export interface ApplyOptions {
  /** Whether it is to do nothing unless a message has done just what it tells. */
  onlyConfirm: boolean;
}

type Done = Pick<ImportedLine, "outcome" | "isPosted" | "transactionId">;

/** Confirms what a message has done, or posts what none has; tries again if a message comes at that moment. */
export async function applyLine(
  deps: ApplyDeps,
  found: FoundCard,
  lineReference: string,
  line: ClearingLine,
  options: ApplyOptions,
): Promise<Done | undefined> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const done = await applyAsSeen(deps, found, lineReference, line, options);
    if (done !== "Stale") return done;
  }
  throw new Error(
    `The payment of line ${line.number} changed at each of ${MAX_TRIES} tries: import the file again.`,
  );
}

async function applyAsSeen(
  deps: ApplyDeps,
  found: FoundCard,
  lineReference: string,
  line: ClearingLine,
  { onlyConfirm }: ApplyOptions,
): Promise<Done | "Stale" | undefined> {
  const { organizationId, card } = found;
  const { kind, amountMinor, isPartial } = line;
  const key = { organizationId, cardId: card.cardId };
  const candidates = await findCandidates(deps.pool, key, lineReference, line);
  const posted = await findPosted(deps.pool, organizationId, lineReference, kind);
  if (posted !== undefined) return alreadyDone(line, lineReference, posted, candidates);
  const candidate = chooseForLine(line, candidates);
  if (onlyConfirm && (candidate === undefined || !isDoneBy(line)(candidate))) return undefined;
  if (candidate === undefined) {
    const transactionId = await postAlone(deps, found, lineReference, line);
    return { outcome: outcomeAlone(line, candidates), transactionId, isPosted: true };
  }
  const { transaction } = candidate;
  const { transactionId } = transaction;
  const outcome = outcomeOf(line, candidate, { isPosted: false });
  const isConfirmed = isUnconfirmed(candidate);
  if (!isConfirmed) {
    const payment = paymentFactsOf(transaction);
    const seenEvents = transaction.events.length;
    const sent = { kind, amountMinor, isPartial, networkReference: lineReference, seenEvents };
    const { isStale } = await deps.door.follow(organizationId, payment, sent);
    if (isStale === true) return "Stale";
  }
  return { outcome, transactionId, isPosted: !isConfirmed };
}

/** The line was posted by an import that died before noting it. */
function alreadyDone(
  line: ClearingLine,
  lineReference: string,
  transaction: Transaction,
  candidates: readonly Candidate[],
): Done {
  const { transactionId, networkReference } = transaction;
  const done = { transactionId, isPosted: true };
  if (networkReference === lineReference) {
    return { ...done, outcome: outcomeAlone(line, candidates) };
  }
  const candidate: Candidate = { transaction, unconfirmed: [] };
  return { ...done, outcome: outcomeOf(line, candidate, { isPosted: true }) };
}

async function postAlone(
  { programmes, door }: ApplyDeps,
  { organizationId, card }: FoundCard,
  networkReference: string,
  line: ClearingLine,
): Promise<string> {
  const home = homeOf(programmes, card);
  const { transaction } = await door.post(organizationId, {
    type: line.kind,
    card,
    amountMinor: line.amountMinor,
    currency: line.currency,
    merchant: {
      mid: line.mid ?? "",
      mcc: line.mcc ?? "",
      name: line.merchantName ?? "",
      city: line.merchantCity ?? "",
      country: line.merchantCountry ?? home,
    },
    networkReference,
  });
  return transaction.transactionId;
}
