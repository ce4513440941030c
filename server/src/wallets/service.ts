import type { Pool } from "../db/pool.ts";
import type { Reads } from "../db/reads.ts";
import type { Engine } from "../engine/engine.ts";
import type { Clock } from "../foundation/clock.ts";
import type { Currency } from "../foundation/currencies.ts";
import { newId } from "../foundation/ids.ts";
import { openWallet } from "../ledger/store.ts";
import type { Claim } from "../references/claim.ts";
import { refuseUsedUp } from "../references/service.ts";
import { deposit } from "./deposit.ts";
import { findWalletId, type WalletRow, walletsOf } from "./store.ts";

export interface WalletDeps {
  pool: Pool;
  reads: Reads;
  clock: Clock;
  engine: Engine;
  walletIds: WalletIds;
}

export function readWallets({ reads }: WalletDeps, organizationId: string): Promise<WalletRow[]> {
  return reads.ask(walletsOf, organizationId);
}

/** Credits a wallet with money from outside; the wallet is opened with its first deposit. */
export async function depositMoney(
  deps: WalletDeps,
  organizationId: string,
  money: { currency: Currency; amountMinor: bigint },
  claim?: Claim,
): Promise<WalletRow> {
  const { clock, engine, walletIds } = deps;
  const walletId =
    (await walletIds.find(organizationId, money.currency)) ??
    (await openFirst(deps, organizationId, money.currency, claim));
  const entryId = newId("jrn", clock.nowMs());
  const wallet = await engine.run(deposit, organizationId, { entryId, walletId, ...money }, claim);
  return { walletId, ...wallet };
}

/** A refused repetition must leave nothing behind, not even an empty wallet. */
async function openFirst(
  { pool, clock, walletIds }: WalletDeps,
  organizationId: string,
  currency: Currency,
  claim: Claim | undefined,
): Promise<string> {
  if (claim !== undefined) await refuseUsedUp({ pool, clock }, claim);
  return walletIds.open(organizationId, currency);
}

/** Which wallet an organization has in a currency never changes, so it is asked once. */
export class WalletIds {
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #known = new Map<string, string>();

  constructor(pool: Pool, clock: Clock) {
    this.#pool = pool;
    this.#clock = clock;
  }

  async find(organizationId: string, currency: Currency): Promise<string | undefined> {
    const key = `${organizationId} ${currency}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const found = await findWalletId(this.#pool, organizationId, currency);
    if (found !== undefined) this.#known.set(key, found);
    return found;
  }

  /** The wallet, opened if it is missing: cards need one in their currency, if only for what comes back. */
  async ensure(organizationId: string, currency: Currency): Promise<string> {
    return (
      this.#known.get(`${organizationId} ${currency}`) ??
      (await this.find(organizationId, currency)) ??
      this.open(organizationId, currency)
    );
  }

  async open(organizationId: string, currency: Currency): Promise<string> {
    const now = this.#clock.now();
    const walletId = newId("wal", now.getTime());
    await openWallet(this.#pool, { organizationId, walletId, currency, now });
    // Another request may have opened it first; then theirs is the wallet.
    return (await this.find(organizationId, currency)) ?? walletId;
  }
}
