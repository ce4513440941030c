import type { EarlyReversal } from "../../clearing/remember-reversal.ts";
import type { Reads } from "../../db/reads.ts";
import { scopedKey } from "../../db/scoped-key.ts";
import { type IsoName, isoNameOf, retrievalKey, traceKey } from "../../transactions/iso-name.ts";
import {
  chooseOriginal,
  isGiven,
  isIdentifying,
  type OriginalMessage,
  type Wanted,
} from "./choose.ts";
import { type Candidate, type CardKey, candidatesByRetrieval, candidatesByTrace } from "./store.ts";

/** Looks for the payment that a message is about. */
export async function findOriginal(
  reads: Reads,
  { organizationId, cardId }: CardKey,
  { acquirer, retrieval }: Pick<IsoName, "acquirer" | "retrieval">,
  { serves, ...wanted }: Omit<Wanted, "acquirer"> & { serves: (acquirer: string) => boolean },
): Promise<Candidate | undefined> {
  const card = scopedKey(organizationId, cardId);
  const { original } = wanted;
  const isServed = ({ networkReference }: Candidate): boolean =>
    serves(isoNameOf(networkReference)?.acquirer ?? "");
  const [byTrace, byRetrieval] = await Promise.all([
    original !== undefined && isIdentifying(original)
      ? reads.ask(candidatesByTrace, `${card} ${traceKey(original)}`)
      : [],
    reads.ask(candidatesByRetrieval, `${card} ${retrievalKey({ retrieval })}`),
  ]);
  const found = { byTrace: byTrace.filter(isServed), byRetrieval: byRetrieval.filter(isServed) };
  return chooseOriginal({ ...wanted, acquirer }, found);
}

/** What an early reversal is remembered by. Where it does not say whose its original is, it is its sender's. */
export function keyOfOriginal(
  { acquirer, retrieval }: Pick<IsoName, "acquirer" | "retrieval">,
  original: OriginalMessage | undefined,
): Pick<EarlyReversal, "originalKey" | "originalAcquirer"> {
  if (original === undefined || !isIdentifying(original)) {
    return { originalKey: retrievalKey({ retrieval }), originalAcquirer: acquirer };
  }
  const originalAcquirer = isGiven(original.acquirer) ? original.acquirer : acquirer;
  return { originalKey: traceKey(original), originalAcquirer };
}
