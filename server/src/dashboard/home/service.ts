import type { Pool } from "../../db/pool.ts";
import { searchInTurn } from "../../db/searches.ts";
import type { Clock } from "../../foundation/clock.ts";
import { DAY_MS } from "../../foundation/dates.ts";
import { formatAmount } from "../../foundation/money.ts";
import { readWallets, type WalletDeps } from "../../wallets/service.ts";
import { daysOf, declineReasonsOf } from "./figures.ts";
import { dayOf, PastDays } from "./past-days.ts";
import {
  countCards,
  countCustomers,
  type ManagedRow,
  measureManaged,
  sumCardBalances,
} from "./store.ts";

export type HomeDeps = WalletDeps & {
  pool: Pool;
  clock: Clock;
};

type Figures = Awaited<ReturnType<typeof compute>>;

/** How much longer figures are kept than it took to make them. */
const KEPT_TIMES = 10;
const MAX_KEPT_MS = 10_000;
const MAX_KEPT = 1_000;

/**
 * The figures of the first page. Many may look at them at once, and look again with every event; so one
 * computation serves all who ask meanwhile, and what took long is kept for a moment.
 */
export class Home {
  readonly #deps: HomeDeps;
  readonly #pastDays: PastDays;
  readonly #kept = new Map<string, Promise<Figures>>();

  constructor(deps: HomeDeps) {
    this.#deps = deps;
    this.#pastDays = new PastDays(deps.pool);
  }

  read(organizationId: string, days: number): Promise<Figures> {
    const key = `${organizationId} ${days}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
    const startedMs = performance.now();
    const figures = compute(this.#deps, this.#pastDays, organizationId, days);
    this.#kept.set(key, figures);
    const forget = (): void => {
      if (this.#kept.get(key) === figures) this.#kept.delete(key);
    };
    figures.then(() => {
      const tookMs = performance.now() - startedMs;
      setTimeout(forget, Math.min(tookMs * KEPT_TIMES, MAX_KEPT_MS)).unref();
    }, forget);
    return figures;
  }
}

async function compute(deps: HomeDeps, pastDays: PastDays, organizationId: string, days: number) {
  const { pool, clock } = deps;
  const nowMs = clock.nowMs();
  const lastDay = dayOf(nowMs);
  const firstDay = lastDay - days + 1;
  const inTurn = <T>(count: () => Promise<T>): Promise<T> =>
    searchInTurn(pool, organizationId, count);
  const [wallets, cards, balances, customers, purchases] = await Promise.all([
    readWallets(deps, organizationId),
    inTurn(() => countCards(pool, organizationId)),
    inTurn(() => sumCardBalances(pool, organizationId)),
    inTurn(() => countCustomers(pool, organizationId)),
    inTurn(() => pastDays.count(organizationId, firstDay, nowMs)),
  ]);
  const from = new Date(firstDay * DAY_MS);
  const managed = await inTurn(() => measureManaged(pool, organizationId, from));
  const ofStatus = (status: string): number =>
    cards.find((row) => row.status === status)?.count ?? 0;
  return {
    wallets: wallets.map(({ walletId, currency, postedMinor }) => ({
      walletId,
      currency,
      balance: formatAmount(postedMinor, currency),
    })),
    cards: {
      active: ofStatus("Active"),
      frozen: ofStatus("Frozen"),
      terminated: ofStatus("Terminated"),
      balances: balances.map(({ currency, postedMinor }) => ({
        currency,
        balance: formatAmount(postedMinor, currency),
      })),
    },
    days: daysOf(purchases, firstDay, lastDay),
    declineReasons: declineReasonsOf(purchases),
    managed: describeManaged(managed),
    customers,
  };
}

function describeManaged(row: ManagedRow | undefined) {
  if (row === undefined || row.asked === 0) return null;
  const rounded = (ms: number | null) => (ms === null ? null : Math.round(ms * 10) / 10);
  return { ...row, p50Ms: rounded(row.p50Ms), p99Ms: rounded(row.p99Ms) };
}
