import type { Pool } from "../../db/pool.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Clock } from "../../foundation/clock.ts";
import { newId } from "../../foundation/ids.ts";
import type { Caller } from "../../http/caller.ts";
import type { Ok } from "../../http/envelope.ts";
import { type Page, pageOf, rowsFor } from "../../http/pagination.ts";
import type { WalletIds } from "../../wallets/service.ts";
import type { CardBook } from "../card-book.ts";
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

/** Takes as many steps as needed; after a crash, a retry with the same Reference collects the rest. */
export async function reprocessCharges(
  { clock, engine, cardBook, walletIds }: ChargeDeps,
  { organizationId, claim }: Caller,
  cardId: string,
): Promise<Omit<Reprocessed, "hasMore">> {
  const card = await cardBook.find(organizationId, cardId);
  const walletId = await walletIds.ensure(organizationId, card.currency);
  const collected: DescribedCharge[] = [];
  for (;;) {
    const transactionIds = newTransactionIds(clock);
    const input = { card, walletId, transactionIds };
    const { hasMore, ...step } = await engine.run(reprocess, organizationId, input, claim);
    collected.push(...step.collected);
    if (!hasMore) return { ...step, collected };
  }
}

/** Enough for every charge that one step may collect: decisions are pure and make no ids. */
export function newTransactionIds(clock: Clock): string[] {
  const nowMs = clock.nowMs();
  return Array.from({ length: MAX_COLLECTED }, () => newId("txn", nowMs));
}
