import type { Reads } from "../../db/reads.ts";
import { scopedKey } from "../../db/scoped-key.ts";
import { type IsoName, retrievalKey, traceKey } from "../../transactions/iso-name.ts";
import { chooseOriginal, isIdentifying, type OriginalMessage, type Wanted } from "./choose.ts";
import { type Candidate, type CardKey, candidatesByRetrieval, candidatesByTrace } from "./store.ts";

/** Looks for the payment that a message is about. */
export async function findOriginal(
  reads: Reads,
  { organizationId, cardId }: CardKey,
  { retrieval }: Pick<IsoName, "retrieval">,
  wanted: Wanted,
): Promise<Candidate | undefined> {
  const card = scopedKey(organizationId, cardId);
  const { original } = wanted;
  const [byTrace, byRetrieval] = await Promise.all([
    original !== undefined && isIdentifying(original)
      ? reads.ask(candidatesByTrace, `${card} ${traceKey(original)}`)
      : [],
    reads.ask(candidatesByRetrieval, `${card} ${retrievalKey({ retrieval })}`),
  ]);
  return chooseOriginal(wanted, { byTrace, byRetrieval });
}

/** What an early reversal is remembered by. */
export function originalKeyFor(
  { retrieval }: Pick<IsoName, "retrieval">,
  original: OriginalMessage | undefined,
): string {
  return original !== undefined && isIdentifying(original)
    ? traceKey(original)
    : retrievalKey({ retrieval });
}
