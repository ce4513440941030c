import { asRecordedNow } from "../../clearing/past-message.ts";
import type { Pool } from "../../db/pool.ts";
import type { Currency } from "../../foundation/currencies.ts";
import {
  ISO_REFERENCE,
  isOfAcquirer,
  retrievalKey,
  traceKey,
  withoutZeros,
} from "../../transactions/iso-name.ts";
import { originalsFrom } from "../../transactions/iso-originals.ts";
import { TRANSACTION_COLUMNS } from "../../transactions/table.ts";
import type { Transaction } from "../../transactions/transaction.ts";
import type { CardKey } from "../originals/store.ts";
import type { ClearingLine } from "./line.ts";
import { unconfirmed } from "./pairing.ts";
import type { Candidate, Outcome } from "./reconcile.ts";

/** Payments that a line may be about, the latest first. */
export async function findCandidates(
  pool: Pool,
  { organizationId, cardId }: CardKey,
  lineReference: string,
  { kind, amountMinor, acquirer, retrieval, trace = "", transmitted = "" }: ClearingLine,
): Promise<Candidate[]> {
  const keys = {
    trace: `${cardId} ${traceKey({ trace, transmitted })}`,
    retrieval: `${cardId} ${retrievalKey({ retrieval })}`,
  };
  const rows = await Promise.all(
    (["trace", "retrieval"] as const).map(async (index) => {
      // This line itself does not count, should another import have noted it.
      const found = await pool.query<Transaction & RecordedAmounts>(
        `select ${TRANSACTION_COLUMNS}, ${messagesOf("t", "$3")} as messages,
                ${linesOf("t", "$3", "$4")} as lines
           from ${originalsFrom(index)}`,
        [[organizationId], [keys[index]], kind, lineReference],
      );
      return found.rows;
    }),
  );
  const distinct = new Map(rows.flat().map((row) => [row.transactionId, row]));
  return (
    [...distinct.values()]
      // Who presents a payment need not be who had it authorized: its message tells.
      .filter(({ networkReference, messages }) =>
        [networkReference, ...messages.map((message) => message.networkReference)].some(
          (reference) => isOfAcquirer(reference, acquirer),
        ),
      )
      .sort((a, b) => (a.transactionId < b.transactionId ? 1 : -1))
      .map(({ messages, lines, ...transaction }) => ({
        transaction,
        unconfirmed: unconfirmedIn(transaction, kind, { messages, lines }, amountMinor).map(
          (message) => message.amountMinor,
        ),
      }))
  );
}

/** What messages of a kind have moved of a payment, the earliest first. The stage is named for the sake of its index. */
const messagesOf = (payment: string, kind: string): string => `
  array(select json_build_object('networkReference', network_reference,
      'amountMinor', amount_minor::text, 'createdAt', created_at) from network_messages
    where organization_id = ${payment}.organization_id
      and transaction_id = ${payment}.transaction_id
      and stage = ${kind} and stage <> 'Authorization' and request_type = stage and not confirms
      and network_reference ~ '${ISO_REFERENCE}' order by created_at)`;

/** What lines of a kind, but for one, have confirmed of a payment. */
const linesOf = (payment: string, kind: string, but = "''"): string => `
  array(select coalesce(amount_minor::text, '') from clearing_lines
    where organization_id = ${payment}.organization_id
      and transaction_id = ${payment}.transaction_id
      and kind = ${kind} and not is_posted and line_reference <> ${but})`;

/** Amounts in the payment's currency, as text; null or empty where none was noted. */
interface RecordedAmounts {
  messages: { networkReference: string; amountMinor: string | null; createdAt: string }[];
  lines: string[];
}

const minorOfText = (text: string): bigint | null => (text === "" ? null : BigInt(text));

function unconfirmedIn(
  payment: Pick<Transaction, "events" | "currency">,
  requestType: ClearingLine["kind"],
  { messages, lines }: RecordedAmounts,
  ownMinor?: bigint,
): { networkReference: string; amountMinor: bigint }[] {
  const moved = messages
    .map(({ networkReference, amountMinor, createdAt }) => ({
      networkReference,
      requestType,
      amountMinor: minorOfText(amountMinor ?? ""),
      confirms: false,
      createdAt: new Date(createdAt),
    }))
    .map((message) => asRecordedNow(message, payment))
    .filter(({ confirms }) => !confirms);
  return unconfirmed(moved, lines.map(minorOfText), ownMinor);
}

export interface ImportedLine {
  organizationId: string;
  lineReference: string;
  kind: ClearingLine["kind"];
  transactionId: string;
  outcome: Outcome;
  /** Whether it moved money. */
  isPosted: boolean;
  amountMinor: bigint;
}

export async function findImported(
  pool: Pool,
  organizationId: string,
  lineReference: string,
): Promise<
  (Pick<ImportedLine, "transactionId" | "outcome" | "isPosted"> & { notedAt: Date }) | undefined
> {
  const { rows } = await pool.query(
    `select transaction_id as "transactionId", outcome, is_posted as "isPosted", created_at as "notedAt"
       from clearing_lines where organization_id = $1 and line_reference = $2`,
    [organizationId, lineReference],
  );
  return rows[0];
}

/** The payment that a line was posted to, if that import died before noting it. */
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
       is_posted, amount_minor, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
    [
      line.organizationId,
      line.lineReference,
      line.kind,
      line.transactionId,
      line.outcome,
      line.isPosted,
      line.amountMinor,
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

type UnconfirmedRow = Omit<MissingPayment, "amountMinor"> &
  Pick<Transaction, "events"> &
  RecordedAmounts & { networkReference: string };

/**
 * What acquirers' messages have settled or refunded, and no file has confirmed. A single message that reversals have
 * given back whole is none of it: no file need tell of what came to nothing. Which of a payment's messages are
 * confirmed shows only among all of them, those of other days and acquirers included.
 */
export async function findMissing(
  pool: Pool,
  { acquirers, until, limit }: { acquirers: string[]; until: Date; limit: number },
): Promise<{ missing: MissingPayment[]; hasMore: boolean }> {
  const { rows } = await pool.query<UnconfirmedRow>(
    `select m.request_type as kind, m.network_reference as "networkReference",
            t.transaction_id as "transactionId", t.currency, t.events, c.masked_pan as "maskedPan",
            rtrim(left(right(m.network_reference, 28), 12)) as retrieval, r.messages, r.lines
       from network_messages m
       join transactions t using (organization_id, transaction_id)
       join cards c using (organization_id, card_id)
      cross join lateral (select ${messagesOf("m", "m.request_type")} as messages,
        ${linesOf("m", "m.request_type")} as lines) r
      where m.request_type in ('Settlement', 'Refund') and not m.confirms
        and m.network_reference ~ '${ISO_REFERENCE}'
        and ltrim(left(m.network_reference, length(m.network_reference) - 28), '0') = any($1)
        and m.created_at < $2
        and cardinality(r.lines) < cardinality(r.messages)
        and (m.network_reference = t.network_reference and m.request_type = 'Settlement'
          and coalesce(m.amount_minor, t.amount_minor) <= (select sum(g.amount_minor)
            from network_messages g
            where g.organization_id = m.organization_id and g.transaction_id = m.transaction_id
              and g.stage = 'Refund' and g.request_type = 'Reversal')) is not true
      order by m.created_at, m.transaction_id limit $3`,
    [acquirers.map(withoutZeros), until, limit + 1],
  );
  const missing = rows.slice(0, limit).flatMap((row) =>
    unconfirmedIn(row, row.kind, row)
      .filter(({ networkReference }) => networkReference === row.networkReference)
      .map(({ amountMinor }) => ({ ...row, amountMinor })),
  );
  return { missing, hasMore: rows.length > limit };
}
