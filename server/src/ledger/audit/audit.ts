import { liftLimits } from "../../db/limits.ts";
import type { Pool } from "../../db/pool.ts";
import type { Currency } from "../../foundation/currencies.ts";
import { CHECKS } from "./checks.ts";
import { LINES } from "./journal.ts";

export interface CurrencyFigures {
  currency: Currency;
  postings: bigint;
  debitsMinor: bigint;
  creditsMinor: bigint;
  /** What organizations and cardholders own, as their accounts say. */
  ownedMinor: bigint;
  heldMinor: bigint;
}

interface Counts {
  accounts: bigint;
  cards: bigint;
  events: bigint;
  pendingCharges: bigint;
}

export interface AuditReport extends Counts {
  currencies: CurrencyFigures[];
  /** One sentence for each thing that does not hold; empty when the books are in order. */
  problems: string[];
}

/**
 * Proves the books from the postings up, in one snapshot of the database: it can run beside a live
 * service and never sees half a batch.
 */
export async function audit(pool: Pool): Promise<AuditReport> {
  const db = await pool.connect();
  try {
    await db.query("begin isolation level repeatable read read only");
    await liftLimits(db);
    await db.query(`set local statement_timeout = ${AUDIT_TIMEOUT_MS}`);
    const read = async <Row extends object>(text: string): Promise<Row[]> =>
      (await db.query({ text, query_timeout: AUDIT_TIMEOUT_MS } as { text: string })).rows as Row[];
    const [counts = NOTHING] = await read<Counts>(COUNTS);
    const currencies = await read<CurrencyFigures>(FIGURES);
    const problems: string[] = [];
    for (const check of CHECKS) {
      const [first] = await read<{ problem: string }>(check);
      if (first !== undefined) problems.push(first.problem);
    }
    for (const { currency, debitsMinor, creditsMinor } of currencies) {
      if (debitsMinor !== creditsMinor) problems.push(`Debits and credits in ${currency} differ.`);
    }
    return { ...counts, currencies, problems };
  } finally {
    await db.query("rollback").catch(() => undefined);
    db.release();
  }
}

const AUDIT_TIMEOUT_MS = 3_600_000;

const NOTHING: Counts = { accounts: 0n, cards: 0n, events: 0n, pendingCharges: 0n };

const COUNTS = `
  select (select count(*) from accounts) as accounts, (select count(*) from cards) as cards,
         (select count(*) from events) as events,
         (select count(*) from cross_border_charges where status = 'Pending') as "pendingCharges"`;

const FIGURES = `
  select c.currency, coalesce(p.postings, 0) as postings, coalesce(p.debits, 0)::bigint as "debitsMinor",
         coalesce(p.credits, 0)::bigint as "creditsMinor", c.owned::bigint as "ownedMinor",
         c.held::bigint as "heldMinor"
    from (select currency, coalesce(sum(posted_minor), 0) as owned, coalesce(sum(held_minor), 0) as held
            from accounts group by currency) c
    left join (select a.currency, count(distinct l.posting_id) as postings,
                      -sum(l.amount_minor) filter (where l.amount_minor < 0) as debits,
                      sum(l.amount_minor) filter (where l.amount_minor > 0) as credits
                 from (${LINES}) l join accounts a using (organization_id, account_id)
                group by a.currency) p using (currency)
   order by c.currency`;
