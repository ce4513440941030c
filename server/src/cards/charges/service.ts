import type { Pool } from "../../db/pool.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Clock } from "../../foundation/clock.ts";
import { newId } from "../../foundation/ids.ts";
import type { Caller } from "../../http/caller.ts";
import type { Ok } from "../../http/envelope.ts";
import { type Page, pageOf, rowsFor } from "../../http/pagination.ts";
import type { Claim } from "../../references/claim.ts";
import type { WalletIds } from "../../wallets/service.ts";
import type { CardFacts } from "../card.ts";
import type { CardBook } from "../facts.ts";
import { MAX_COLLECTED } from "./charge.ts";
import { type DescribedCharge, describeCharge } from "./describe.ts";
import { type Reprocessed, reprocess } from "./reprocess.ts";
import { listCharges } from "./store.ts";

export interface ChargeDeps {
  pool: Pool;
  clock: Clock;
  engine: Engine;
  cardBook: CardBook;
  walletIds: WalletIds;
}

/** One page of a card's cross-border charges, newest first. */
export async function readCharges(
  { pool, cardBook }: ChargeDeps,
  { organizationId }: Caller,
  cardId: string,
  page: Page,
): Promise<Ok<DescribedCharge[]>> {
  await cardBook.find(organizationId, cardId);
  const before = page.cursor;
  const charges = await listCharges(
    pool,
    { organizationId, cardId },
    { before, limit: rowsFor(page) },
  );
  return pageOf(charges, page, ({ chargeId }) => chargeId, describeCharge);
}

export async function reprocessCharges(
  deps: ChargeDeps,
  { organizationId, claim }: Caller,
  cardId: string,
): Promise<Reprocessed> {
  const card = await deps.cardBook.find(organizationId, cardId);
  return collectAll(deps, organizationId, card, claim);
}

/**
 * Collects all that a card can pay, in as many steps as it takes. The first uses up the Reference: should the
 * others not come to pass, the next call goes on where they ended.
 */
export async function collectAll(
  { clock, engine, walletIds }: Pick<ChargeDeps, "clock" | "engine" | "walletIds">,
  organizationId: string,
  card: CardFacts,
  claim?: Claim,
): Promise<Reprocessed> {
  const walletId = await walletIds.ensure(organizationId, card.currency);
  const step = (once?: Claim): Promise<Reprocessed> => {
    const transactionIds = newTransactionIds(clock);
    return engine.run(reprocess, organizationId, { card, walletId, transactionIds }, once);
  };
  let last = await step(claim);
  const collected = [...last.collected];
  while (last.collected.length === MAX_COLLECTED) {
    last = await step();
    collected.push(...last.collected);
  }
  return { ...last, collected };
}

/** Enough for every charge that one step may collect: decisions are pure and make no ids. */
export function newTransactionIds(clock: Clock): string[] {
  const nowMs = clock.nowMs();
  return Array.from({ length: MAX_COLLECTED }, () => newId("txn", nowMs));
}
