import type { Pool } from "../db/pool.ts";
import type { Reads } from "../db/reads.ts";
import type { Clock } from "../foundation/clock.ts";
import { Failure } from "../foundation/failure.ts";
import { noteRefusal } from "../transactions/unapplied.ts";
import type { FollowUpKind } from "./originals/choose.ts";
import { unappliedAnswer } from "./originals/store.ts";

export interface RefusalDeps {
  pool: Pool;
  reads: Reads;
  clock: Clock;
}

/** A message about a payment, by what names it. */
export interface FollowUpName {
  organizationId: string;
  cardId: string;
  kind: FollowUpKind;
  networkReference: string;
}

export const keyOfMessage = ({ organizationId, kind, networkReference }: FollowUpName): string =>
  `${organizationId} ${kind} ${networkReference}`;

/** What a message was refused for when it came before. */
export async function refusedBefore(
  { reads }: RefusalDeps,
  name: FollowUpName,
): Promise<string | undefined> {
  const [before] = await reads.ask(unappliedAnswer, keyOfMessage(name));
  if (before !== undefined) refuseOthers(before, name);
  return before?.responseCode;
}

/** A name that belongs to another card's message is not this one's. */
export function refuseOthers({ cardId }: { cardId: string }, name: FollowUpName): void {
  if (cardId !== name.cardId) throw new Failure("DUPLICATE_TRANSACTION");
}

/** What is refused is kept: the same message is answered so again, whatever has happened since. */
export async function keepingRefusals<T>(
  { pool, clock }: RefusalDeps,
  { organizationId, cardId, kind, networkReference }: FollowUpName,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (isLasting(error)) {
      await noteRefusal(pool, {
        organizationId,
        networkReference,
        requestType: kind,
        cardId,
        responseCode: error.response.code,
        originalKey: null,
        createdAt: clock.now(),
      });
    }
    throw error;
  }
}

/** A name that belongs to another message says nothing about that one. */
const isLasting = (error: unknown): error is Failure =>
  error instanceof Failure &&
  error.response.finality === "TerminalFailure" &&
  error.codeName !== "DUPLICATE_TRANSACTION";
