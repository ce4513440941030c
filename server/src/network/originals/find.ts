import type { EarlyReversal } from "../../clearing/remember-reversal.ts";
import type { Reads } from "../../db/reads.ts";
import { scopedKey } from "../../db/scoped-key.ts";
import { type IsoName, retrievalKey, traceKey } from "../../transactions/iso-name.ts";
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
  wanted: Omit<Wanted, "acquirer">,
): Promise<Candidate | undefined> {
  const card = scopedKey(organizationId, cardId);
  const { original } = wanted;
  const [byTrace, byRetrieval] = await Promise.all([
    original !== undefined && isIdentifying(original)
      ? reads.ask(candidatesByTrace, `${card} ${traceKey(original)}`)
      : [],
    reads.ask(candidatesByRetrieval, `${card} ${retrievalKey({ retrieval })}`),
  ]);
  return chooseOriginal({ ...wanted, acquirer }, { byTrace, byRetrieval });
}

/** What an early reversal is remembered by. */
export function keyOfOriginal(
  { retrieval }: Pick<IsoName, "retrieval">,
  original: OriginalMessage | undefined,
): Pick<EarlyReversal, "originalKey" | "originalAcquirer"> {
  if (original === undefined || !isIdentifying(original)) {
    return { originalKey: retrievalKey({ retrieval }) };
  }
  const { acquirer } = original;
  return {
    originalKey: traceKey(original),
    ...(isGiven(acquirer) && { originalAcquirer: acquirer }),
  };
}
