import type { Pool } from "../../db/pool.ts";
import { DAY_MS } from "../../foundation/dates.ts";
import { Failure } from "../../foundation/failure.ts";
import { findProgramme, type Programme } from "../../programmes/programmes.ts";
import { regularize } from "./regularize.ts";
import { type ClosingDeps, regularizationOf, terminationOf } from "./service.ts";
import {
  FIRST_PLACE,
  findCardsOfAccount,
  findNegativeAccounts,
  type NegativeAccount,
  negativeSince,
} from "./store.ts";
import { terminate } from "./terminate.ts";

const STEP_ACCOUNTS = 20_000;
const REASON = "NegativeBalance";

export interface NegativeDeps extends Omit<ClosingDeps, "cardBook"> {
  pool: Pool;
  programmes: readonly Programme[];
}

/**
 * What programmes may have done for them: the cards of an account that has been negative for too long
 * are terminated, and a closed account is settled by the wallet. Every step looks at a bounded number of
 * accounts and the next goes on from there; several processes may do this at once, since the engine
 * judges each account again under its lock.
 */
export class NegativeAccounts {
  readonly #deps: NegativeDeps;
  readonly #stepAccounts: number;
  #after = FIRST_PLACE;

  constructor(deps: NegativeDeps, stepAccounts = STEP_ACCOUNTS) {
    this.#deps = deps;
    this.#stepAccounts = stepAccounts;
  }

  async step(): Promise<void> {
    const { pool, programmes } = this.#deps;
    if (!programmes.some(isWanted)) return;
    const { negative, next } = await findNegativeAccounts(pool, this.#after, this.#stepAccounts);
    this.#after = next ?? FIRST_PLACE;
    for (const account of negative) await settle(this.#deps, account);
  }
}

const isWanted = ({ terminateNegativeAfterDays, autoRegularize }: Programme): boolean =>
  terminateNegativeAfterDays !== null || autoRegularize;

async function settle(deps: NegativeDeps, account: NegativeAccount): Promise<void> {
  const { pool, engine, programmes } = deps;
  const { organizationId } = account;
  const cards = await findCardsOfAccount(pool, account);
  const [first] = cards;
  const programme = first && findProgramme(programmes, first);
  if (programme === undefined) return;
  const living = cards.filter(({ status }) => status !== "Terminated");
  if (living.length > 0 && !(await isOverdue(deps, programme, account))) return;
  for (const card of living) {
    const input = await terminationOf(deps, organizationId, card, REASON);
    const judged = { ...input, onlyAtMinor: account.postedMinor };
    await unlessRefused(engine.run(terminate, organizationId, judged));
  }
  const last = cards.at(-1);
  if (programme.autoRegularize && last !== undefined) {
    const input = await regularizationOf(deps, organizationId, last);
    await unlessRefused(engine.run(regularize, organizationId, input));
  }
}

async function isOverdue(
  { pool, clock }: NegativeDeps,
  { terminateNegativeAfterDays: days }: Programme,
  account: NegativeAccount,
): Promise<boolean> {
  if (days === null) return false;
  const since = await negativeSince(pool, account);
  return since !== undefined && since.getTime() + days * DAY_MS <= clock.nowMs();
}

/** A refusal means that another process was faster, or that the wallet is short: the next round looks again. */
async function unlessRefused(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const isRefusal = error instanceof Failure && error.response.finality === "TerminalFailure";
    if (!isRefusal) throw error;
  }
}
