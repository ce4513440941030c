import type { Connection, Pool } from "../../db/pool.ts";
import type { Reads } from "../../db/reads.ts";
import { scopedKey } from "../../db/scoped-key.ts";
import { searchInTurn } from "../../db/searches.ts";
import type { Clock } from "../../foundation/clock.ts";
import { readRange } from "../../foundation/dates.ts";
import { Failure, isFailure } from "../../foundation/failure.ts";
import { isId, newId } from "../../foundation/ids.ts";
import type { Caller } from "../../http/caller.ts";
import type { Ok } from "../../http/envelope.ts";
import { pageOf } from "../../http/pagination.ts";
import { writeAudit } from "../../identity/store.ts";
import type { Vault } from "../../keys/vault.ts";
import { onceInTransaction } from "../../references/once-in-transaction.ts";
import { type DescribedCard, describeCard } from "../describe.ts";
import { openSecrets } from "../secrets.ts";
import { listCards } from "./list.ts";
import { findSecretCard, type SecretCard, type ShownCard, shownCard } from "./store.ts";
import type { CardsRequest } from "./wire.ts";

export interface DetailsDeps {
  pool: Pool;
  reads: Reads;
  clock: Clock;
  vault: Vault;
}

/** A card as it is stored, with its balance; refuses what is no card of this organization. */
export async function findCard(
  { reads }: { reads: Reads },
  organizationId: string,
  cardId: string,
): Promise<ShownCard> {
  if (!isId("card", cardId)) throw new Failure("INVALID_CARD_ID");
  const [card] = await reads.ask(shownCard, scopedKey(organizationId, cardId));
  if (card === undefined) throw new Failure("NO_CARD_RECORD");
  return card;
}

export async function readCard(
  deps: DetailsDeps,
  organizationId: string,
  cardId: string,
): Promise<DescribedCard> {
  return describeShown(await findCard(deps, organizationId, cardId));
}

export type DescribedSecrets = DescribedCard & { pan: string; cvv: string };

/** Shows the whole number of a card. Who looked, or tried to, is on record before anything is shown. */
export async function readCardSecrets(
  deps: DetailsDeps,
  { organizationId, clientId, claim }: Caller,
  cardId: string,
  address: string,
): Promise<DescribedSecrets> {
  if (!isId("card", cardId)) throw new Failure("INVALID_CARD_ID");
  const { pool, vault, clock } = deps;
  const note = (db: Connection, action: string): Promise<void> => {
    const at = clock.now();
    return writeAudit(db, {
      auditId: newId("aud", at.getTime()),
      organizationId,
      actor: clientId,
      action,
      detail: { cardId, requestId: claim.requestId },
      at,
      subject: cardId,
      address,
    });
  };
  const card = await findSecretCard(pool, organizationId, cardId);
  // Before the transaction: a key that was not heard of yet is read on another connection, and were all of them held
  // by calls that wait for one, nobody would get any.
  const secrets = card && (await describeSecrets(vault, card));
  try {
    return await onceInTransaction(
      deps,
      claim,
      async (tx) => {
        if (secrets === undefined) throw new Failure("NO_CARD_RECORD");
        await note(tx, "card.secrets_read");
        return secrets;
      },
      cardId,
    );
  } catch (error) {
    const isUnknown = isFailure(error, "NO_CARD_RECORD");
    if (isUnknown) await note(pool, "card.secrets_refused");
    throw error;
  }
}

export async function readCards(
  { pool }: DetailsDeps,
  organizationId: string,
  request: CardsRequest,
): Promise<Ok<DescribedCard[]>> {
  const { limit, cursor, from, to, ...filter } = request;
  const page = { limit, cursor };
  const range = readRange({ from, to });
  const rows = await searchInTurn(pool, organizationId, () =>
    listCards(pool, organizationId, { ...filter, range }, page),
  );
  return pageOf(rows, page, ({ cardId }) => cardId, describeShown);
}

const describeShown = (card: ShownCard): DescribedCard => describeCard(card, card, card, card);

async function describeSecrets(vault: Vault, card: SecretCard): Promise<DescribedSecrets> {
  const secrets = await openSecrets(vault, card.organizationId, card, card);
  return { ...describeShown(card), ...secrets };
}
