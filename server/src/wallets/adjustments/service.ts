import pg from "pg";
import type { Engine } from "../../engine/engine.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Currency } from "../../foundation/currencies.ts";
import { Failure } from "../../foundation/failure.ts";
import { newId } from "../../foundation/ids.ts";
import type { WalletIds } from "../service.ts";
import { type Adjusted, adjustWallet } from "./adjust.ts";

export interface AdjustmentDeps {
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
    what.amountMinor > 0n
      ? await walletIds.ensure(organizationId, what.currency)
      : await walletIds.find(organizationId, what.currency);
  // A wallet that was never opened has nothing to take.
  if (walletId === undefined) throw new Failure("INSUFFICIENT_FUNDS");
  const nowMs = clock.nowMs();
  const ids = { entryId: newId("jrn", nowMs), auditId: newId("aud", nowMs) };
  const run = (): Promise<Adjusted> =>
    engine.run(adjustWallet, organizationId, { ...what, ...ids, walletId });
  // Another wallet may use the same reference at the same moment, under a lock of its own; the one that
  // comes second is stopped by the database, and judged again.
  return run().catch((error: unknown) => (isTaken(error) ? run() : Promise.reject(error)));
}

const isTaken = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.constraint === "wallet_adjustments_pkey";
