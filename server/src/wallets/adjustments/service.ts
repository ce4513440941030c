import pg from "pg";
import type { Pool } from "../../db/pool.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Currency } from "../../foundation/currencies.ts";
import { Failure } from "../../foundation/failure.ts";
import { newId } from "../../foundation/ids.ts";
import type { WalletIds } from "../service.ts";
import { type Adjusted, adjustWallet, usedFor } from "./adjust.ts";
import { findAdjustment } from "./table.ts";

export interface AdjustmentDeps {
  pool: Pool;
  clock: Clock;
  engine: Engine;
  walletIds: WalletIds;
}

/** Puts money into an organization's wallet, or takes it out when the amount is below zero. */
export async function adjust(
  deps: AdjustmentDeps,
  organizationId: string,
  what: { reference: string; currency: Currency; amountMinor: bigint },
): Promise<Adjusted> {
  const { clock, engine, walletIds } = deps;
  const walletId =
    (await walletIds.find(organizationId, what.currency)) ??
    (await openFirst(deps, organizationId, what));
  const nowMs = clock.nowMs();
  const ids = { entryId: newId("jrn", nowMs), auditId: newId("aud", nowMs) };
  const run = (): Promise<Adjusted> =>
    engine.run(adjustWallet, organizationId, { ...what, ...ids, walletId });
  // Another wallet may use the same reference at the same moment, under a lock of its own; the one that
  // comes second is stopped by the database, and judged again.
  return run().catch((error: unknown) => (isTaken(error) ? run() : Promise.reject(error)));
}

/** What is refused must leave nothing behind, not even an empty wallet. */
async function openFirst(
  { pool, walletIds }: AdjustmentDeps,
  organizationId: string,
  {
    reference,
    currency,
    amountMinor,
  }: { reference: string; currency: Currency; amountMinor: bigint },
): Promise<string> {
  const earlier = await findAdjustment(pool, organizationId, reference);
  if (earlier !== undefined) {
    // The same command may have opened the wallet this very moment; else it was about another one.
    const opened = await walletIds.find(organizationId, currency);
    if (opened !== undefined) return opened;
    throw new Failure("DUPLICATE_TRANSACTION", { message: usedFor(earlier) });
  }
  // A wallet that was never opened has nothing to take.
  if (amountMinor < 0n) throw new Failure("INSUFFICIENT_FUNDS");
  return walletIds.open(organizationId, currency);
}

const isTaken = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.constraint === "wallet_adjustments_pkey";
