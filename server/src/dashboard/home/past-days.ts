import type { Pool } from "../../db/pool.ts";
import { DAY_MS } from "../../foundation/dates.ts";
import { countPurchases, type DayRow } from "./store.ts";

/** What was under way at midnight has committed by then. */
const SETTLED_MS = 600_000;
const MAX_DAYS_KEPT = 20_000;

export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);
export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** Remembers what was decided on days that are over: it never changes, and counting it again takes long. */
export class PastDays {
  readonly #pool: Pool;
  readonly #known = new Map<string, DayRow[]>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** All purchases from a day to now. */
  async count(organizationId: string, firstDay: number, nowMs: number): Promise<DayRow[]> {
    const today = dayOf(nowMs);
    let day = firstDay;
    const rows: DayRow[] = [];
    for (; day <= today; day++) {
      const known = this.#known.get(`${organizationId} ${day}`);
      if (known === undefined) break;
      rows.push(...known);
    }
    const fresh = await countPurchases(
      this.#pool,
      organizationId,
      new Date(day * DAY_MS),
      new Date((today + 1) * DAY_MS),
    );
    const lastSettled = dayOf(nowMs - SETTLED_MS) - 1;
    for (; day <= lastSettled; day++) this.#remember(organizationId, day, fresh);
    return [...rows, ...fresh];
  }

  #remember(organizationId: string, day: number, rows: readonly DayRow[]): void {
    if (this.#known.size >= MAX_DAYS_KEPT) this.#known.clear();
    const date = dateOf(day);
    this.#known.set(
      `${organizationId} ${day}`,
      rows.filter((row) => row.date === date),
    );
  }
}
