import type { Connection } from "../db/pool.ts";
import type { Currency } from "../foundation/currencies.ts";
import type { TimeRange } from "../foundation/dates.ts";
import type { AccountKey } from "./accounts.ts";
import type { PostingKind } from "./postings.ts";

/** A posting as one of its accounts sees it. */
export interface LedgerLine {
  postingId: bigint;
  entryId: string;
  kind: PostingKind;
  direction: "Debit" | "Credit";
  amountMinor: bigint;
  currency: Currency;
  /** What the account had then. */
  balanceMinor: bigint;
  transactionId: string | null;
  reference: string | null;
  createdAt: Date;
}

/** The postings of an account between two of them: `first` is one of them, `end` is not. */
export interface PostingRange {
  first: bigint;
  end: bigint;
}

const LAST_POSTING = 2n ** 63n - 1n;

/**
 * How far the times of postings may be out of step with their order: as long as a batch takes, and as
 * the clocks of several machines differ.
 */
const SLACK_MS = 60_000;

/** Where an organization's postings of some time must be looked for. Not all that is there is of that time. */
export async function findPostings(
  db: Connection,
  organizationId: string,
  { from, to }: TimeRange,
): Promise<PostingRange> {
  return {
    first: from === undefined ? 0n : await firstSince(db, organizationId, from, -SLACK_MS),
    end: to === undefined ? LAST_POSTING : await firstSince(db, organizationId, to, SLACK_MS),
  };
}

/**
 * Halves the postings until the first one since a moment is found: some thirty look-ups in the primary key
 * instead of an index on times, which every posting would pay for.
 */
async function firstSince(
  db: Connection,
  organizationId: string,
  moment: Date,
  slackMs: number,
): Promise<bigint> {
  const { rows } = await db.query<{ postingId: bigint }>(
    `with recursive search (low, high) as (
       select 0::bigint,
              coalesce((select max(posting_id) from postings where organization_id = $1), 0) + 1
       union all
       select case when p.created_at < $2 then p.posting_id + 1 else s.low end,
              case when p.created_at < $2 then s.high else (s.low + s.high) / 2 end
         from search s left join lateral (
           select posting_id, created_at from postings
            where organization_id = $1 and posting_id >= (s.low + s.high) / 2 and posting_id < s.high
            order by posting_id limit 1) p on true
        where s.low < s.high)
     select low as "postingId" from search where low >= high`,
    [organizationId, new Date(moment.getTime() + slackMs)],
  );
  return rows[0]?.postingId ?? 0n;
}

/** The lines of an account, newest first: the newest of both sides, each found by its own index. */
export async function readLines(
  db: Connection,
  { organizationId, accountId }: AccountKey,
  { first, end }: PostingRange,
  { from, to }: TimeRange,
  limit: number,
): Promise<LedgerLine[]> {
  const { rows } = await db.query<LedgerLine>(
    `select * from (${side("Debit")} union all ${side("Credit")}) lines
      order by "postingId" desc limit $7`,
    [organizationId, accountId, first, end, from, to, limit],
  );
  return rows;
}

const side = (direction: LedgerLine["direction"]): string => {
  const column = direction.toLowerCase();
  return `
    (select posting_id as "postingId", entry_id as "entryId", kind, '${direction}' as direction,
            amount_minor as "amountMinor", currency, ${column}_balance_minor as "balanceMinor",
            transaction_id as "transactionId", reference, created_at as "createdAt"
       from postings
      where organization_id = $1 and ${column}_account_id = $2 and posting_id >= $3 and posting_id < $4
        and ($5::timestamptz is null or created_at >= $5)
        and ($6::timestamptz is null or created_at < $6)
      order by posting_id desc limit $7)`;
};
