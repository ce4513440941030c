import type { Pool } from "../../db/pool.ts";
import type { Currency } from "../../foundation/currencies.ts";
import { minorOf } from "../../foundation/money.ts";
import { ISO_REFERENCE } from "../../transactions/iso-name.ts";
import { originalsFrom } from "../../transactions/iso-originals.ts";
import { TRANSACTION_COLUMNS } from "../../transactions/table.ts";
import type { Transaction } from "../../transactions/transaction.ts";
import type { ClearingLine } from "./line.ts";
import type { Candidate, Outcome } from "./reconcile.ts";

interface Place {
  organizationId: string;
  cardId: string;
}

/** Payments that a line may be about, the latest first. */
export async function findCandidates(
  pool: Pool,
  { organizationId, cardId }: Place,
  { kind, retrieval, trace = "", transmitted = "" }: ClearingLine,
): Promise<Candidate[]> {
  const keys = { trace: `${cardId} T${trace}${transmitted}`, retrieval: `${cardId} R${retrieval}` };
  const rows = await Promise.all(
    (["trace", "retrieval"] as const).map(async (index) => {
      const found = await pool.query<Transaction & { isUnconfirmed: boolean }>(
        `select ${TRANSACTION_COLUMNS},
                exists (${messagesOf("t")} and request_type = $3)
                and not exists (select from clearing_lines
                  where organization_id = t.organization_id and transaction_id = t.transaction_id
                    and kind = $3) as "isUnconfirmed"
           from ${originalsFrom(index)}`,
        [[organizationId], [keys[index]], kind],
      );
      return found.rows;
    }),
  );
  const distinct = new Map(rows.flat().map((row) => [row.transactionId, row]));
  return [...distinct.values()]
    .sort((a, b) => (a.transactionId < b.transactionId ? 1 : -1))
    .map(({ isUnconfirmed, ...transaction }) => ({ transaction, isUnconfirmed }));
}

/** The messages that settled or refunded a payment: those of files have other names. */
const messagesOf = (payment: string): string => `
  select from network_messages
   where organization_id = ${payment}.organization_id and transaction_id = ${payment}.transaction_id
     and stage = request_type and network_reference ~ '${ISO_REFERENCE}'`;

export interface ImportedLine {
  organizationId: string;
  lineReference: string;
  kind: ClearingLine["kind"];
  transactionId: string;
  outcome: Outcome;
  /** Whether it moved money. */
  isPosted: boolean;
}

export async function findImported(
  pool: Pool,
  organizationId: string,
  lineReference: string,
): Promise<ImportedLine | undefined> {
  const { rows } = await pool.query<ImportedLine>(
    `select organization_id as "organizationId", line_reference as "lineReference", kind,
            transaction_id as "transactionId", outcome, is_posted as "isPosted"
       from clearing_lines where organization_id = $1 and line_reference = $2`,
    [organizationId, lineReference],
  );
  return rows[0];
}

/** The payment that a line has posted on, if its process did not live to note it. */
export async function findPosted(
  pool: Pool,
  organizationId: string,
  lineReference: string,
  kind: ClearingLine["kind"],
): Promise<Transaction | undefined> {
  const { rows } = await pool.query<Transaction>(
    `select ${TRANSACTION_COLUMNS} from network_messages m
       join transactions t using (organization_id, transaction_id)
      where m.organization_id = $1 and m.network_reference = $2 and m.request_type = $3`,
    [organizationId, lineReference, kind],
  );
  return rows[0];
}

/** Whoever imports the same file at the same time has noted the same. */
export async function noteImported(pool: Pool, line: ImportedLine, now: Date): Promise<void> {
  await pool.query(
    `insert into clearing_lines (organization_id, line_reference, kind, transaction_id, outcome,
       is_posted, created_at)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
    [
      line.organizationId,
      line.lineReference,
      line.kind,
      line.transactionId,
      line.outcome,
      line.isPosted,
      now,
    ],
  );
}

export interface MissingPayment {
  kind: ClearingLine["kind"];
  transactionId: string;
  maskedPan: string;
  amountMinor: bigint;
  currency: Currency;
  retrieval: string;
}

/** What acquirers' messages have settled or refunded, and no file has confirmed. */
export async function findMissing(
  pool: Pool,
  { acquirers, until, limit }: { acquirers: string[]; until: Date; limit: number },
): Promise<MissingPayment[]> {
  const { rows } = await pool.query<Omit<MissingPayment, "amountMinor"> & Happened>(
    `select m.request_type as kind, t.transaction_id as "transactionId", c.masked_pan as "maskedPan",
            t.currency, t.events, m.created_at as "createdAt",
            rtrim(left(right(m.network_reference, 28), 12)) as retrieval
       from network_messages m
       join transactions t using (organization_id, transaction_id)
       join cards c using (organization_id, card_id)
      where m.request_type in ('Settlement', 'Refund') and m.network_reference ~ '${ISO_REFERENCE}'
        and left(m.network_reference, length(m.network_reference) - 28) = any($1)
        and m.created_at < $2
        and not exists (select from clearing_lines l
          where l.organization_id = m.organization_id and l.transaction_id = m.transaction_id
            and l.kind = m.request_type)
      order by m.created_at, m.transaction_id limit $3`,
    [acquirers, until, limit],
  );
  return rows.map(({ events, createdAt, ...missing }) => ({
    ...missing,
    amountMinor: amountOf(missing, { events, createdAt }),
  }));
}

type Happened = Pick<Transaction, "events"> & { createdAt: Date };

/** What a message was about stands in the payment's story, at the moment at which it came. */
function amountOf(
  { kind, currency }: Pick<MissingPayment, "kind" | "currency">,
  { events, createdAt }: Happened,
): bigint {
  const at = createdAt.toISOString();
  const event = events.find((one) => one.requestType === kind && one.at === at);
  return minorOf(event?.amount ?? 0, currency);
}
