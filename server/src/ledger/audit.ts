import type { Pool } from "../db/pool.ts";
import type { Currency } from "../foundation/currencies.ts";

export interface CurrencyFigures {
  currency: Currency;
  postings: bigint;
  debitsMinor: bigint;
  creditsMinor: bigint;
  /** What organizations and cardholders own, as their accounts say. */
  ownedMinor: bigint;
  heldMinor: bigint;
}

export interface AuditReport {
  accounts: bigint;
  events: bigint;
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
    const read = async <Row extends object>(text: string): Promise<Row[]> =>
      (await db.query({ text, query_timeout: AUDIT_TIMEOUT_MS } as { text: string })).rows as Row[];
    const [counts] = await read<{ accounts: bigint; events: bigint }>(COUNTS);
    const currencies = await read<CurrencyFigures>(FIGURES);
    const problems: string[] = [];
    for (const check of CHECKS) {
      const [first] = await read<{ problem: string }>(check);
      if (first !== undefined) problems.push(first.problem);
    }
    for (const { currency, debitsMinor, creditsMinor } of currencies) {
      if (debitsMinor !== creditsMinor) problems.push(`Debits and credits in ${currency} differ.`);
    }
    return { accounts: counts?.accounts ?? 0n, events: counts?.events ?? 0n, currencies, problems };
  } finally {
    await db.query("rollback").catch(() => undefined);
    db.release();
  }
}

const AUDIT_TIMEOUT_MS = 3_600_000;

const COUNTS = `select (select count(*) from accounts) as accounts, (select count(*) from events) as events`;

/** Every posting seen from both of its accounts. */
const LINES = `
  select organization_id, posting_id, entry_id, debit_account_id as account_id, currency,
         -amount_minor as amount_minor, debit_balance_minor as balance_minor from postings
  union all
  select organization_id, posting_id, entry_id, credit_account_id, currency,
         amount_minor, credit_balance_minor from postings`;

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

/** Each query names the first thing that does not hold, and gives no row when all does. */
const CHECKS = [
  `select format('Posting %s of entry %s (%s) does not fit its accounts.', posting_id, entry_id, l.organization_id) as problem
     from (${LINES}) l left join accounts a using (organization_id, account_id)
    where a.currency is distinct from l.currency order by posting_id limit 1`,
  `select format('Entry %s (%s) left account %s at %s, but its postings up to then add up to %s.',
                 entry_id, organization_id, account_id, balance_minor, running) as problem
     from (select *, sum(amount_minor) over (partition by organization_id, account_id order by posting_id) as running
             from (${LINES}) l) l
    where balance_minor is not null and balance_minor <> running order by posting_id limit 1`,
  `select format('Account %s (%s) says %s, but its postings add up to %s.',
                 a.account_id, a.organization_id, a.posted_minor, coalesce(sum(l.amount_minor), 0)) as problem
     from accounts a left join (${LINES}) l using (organization_id, account_id)
    where a.posted_minor is not null
    group by a.organization_id, a.account_id, a.posted_minor
   having a.posted_minor <> coalesce(sum(l.amount_minor), 0) order by a.account_id limit 1`,
  `select format('Account %s (%s) holds %s without an open authorization.', account_id, organization_id, held_minor) as problem
     from accounts where held_minor <> 0 order by account_id limit 1`,
  `select format('The events of card %s (%s) have a gap: %s events up to sequence %s.',
                 card_id, organization_id, count(*), max(sequence)) as problem
     from events where card_id is not null group by organization_id, card_id
   having count(*) <> max(sequence) or min(sequence) <> 1 or count(distinct sequence) <> count(*)
    order by card_id limit 1`,
];
