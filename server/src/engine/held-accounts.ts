import { BEGIN, COMMIT, type Lane, type Statement } from "../db/lane.ts";
import { type AccountKey, unlockedAccounts } from "../ledger/accounts.ts";
import type { Job } from "./batch.ts";

/** For how long an account stays marked where nobody tries it again. */
const MARKED_MS = 30_000;
/** How often its lock is tried for, at most: each try holds up a lane. */
const TRY_EVERY_MS = 1_000;

/**
 * The accounts whose locks could not be had in time, because a session that hangs keeps them. Work on these is
 * kept out of batches, so that it holds up nobody else.
 */
export class HeldAccounts {
  readonly #markedAtMs = new Map<string, number>();

  /** Whether a job needs one of them. */
  concern(job: Job): boolean {
    return this.#isMarkedWithin(MARKED_MS, job);
  }

  /** Whether it would be no use to run the job, so soon after another has tried. */
  wereTried(job: Job): boolean {
    return this.#isMarkedWithin(TRY_EVERY_MS, job);
  }

  mark(accounts: AccountKey[]): void {
    const nowMs = performance.now();
    for (const [name, atMs] of this.#markedAtMs) {
      if (atMs + MARKED_MS < nowMs) this.#markedAtMs.delete(name);
    }
    for (const account of accounts) this.#markedAtMs.set(nameOf(account), nowMs);
  }

  /** A job that got its locks shows that they can be had again. */
  clear(job: Job): void {
    for (const account of accountsOf(job)) this.#markedAtMs.delete(nameOf(account));
  }

  #isMarkedWithin(ms: number, job: Job): boolean {
    if (this.#markedAtMs.size === 0) return false;
    const sinceMs = performance.now() - ms;
    const isMarked = (account: AccountKey): boolean =>
      (this.#markedAtMs.get(nameOf(account)) ?? Number.NEGATIVE_INFINITY) > sinceMs;
    try {
      return accountsOf(job).some(isMarked);
    } catch {
      // Its batch will fail for the same reason, and then run it alone.
      return false;
    }
  }
}

/** Which accounts of a job somebody keeps locked: all of them, where that cannot be found out either. */
export async function findHeld(job: Job, lane: Lane, patienceMs: number): Promise<AccountKey[]> {
  const accounts = accountsOf(job);
  const patience: Statement = {
    name: "lock_patience",
    text: "select set_config('lock_timeout', $1, true)",
    values: [`${patienceMs}ms`],
  };
  try {
    const asked = [BEGIN, patience, unlockedAccounts(accounts), COMMIT];
    const [, , unlocked] = await lane.send(asked);
    const free = new Set(unlocked?.rows.map(nameOf));
    return accounts.filter((account) => !free.has(nameOf(account)));
  } catch {
    return accounts;
  }
}

const accountsOf = ({ operation, organizationId, input }: Job): AccountKey[] =>
  operation.accounts(input).map((accountId) => ({ organizationId, accountId }));

const nameOf = ({ organizationId, accountId }: AccountKey): string =>
  `${organizationId} ${accountId}`;
