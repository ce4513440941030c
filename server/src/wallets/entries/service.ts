import type { Connection, Pool } from "../../db/pool.ts";
import { searchInTurn, searchInTurnHoweverLate } from "../../db/searches.ts";
import type { TimeRange } from "../../foundation/dates.ts";
import { Failure } from "../../foundation/failure.ts";
import { isId } from "../../foundation/ids.ts";
import { CSV_PIECE_ROWS, csvPieces } from "../../http/csv.ts";
import type { Streamed } from "../../http/envelope.ts";
import { type Page, rowsFor } from "../../http/pagination.ts";
import type { Vault } from "../../keys/vault.ts";
import type { AccountKey } from "../../ledger/accounts.ts";
import { findPostings, type LedgerLine, type PostingRange, readLines } from "../../ledger/lines.ts";
import { openPlace, type WalletPath } from "./place.ts";
import { CSV_HEAD, cellsOf } from "./wire.ts";

export interface EntriesDeps {
  pool: Pool;
  vault: Vault;
}

/** A wallet's ledger lines for one page, and one more if there is another page. */
export async function readEntries(
  { pool, vault }: EntriesDeps,
  wallet: WalletPath,
  range: TimeRange,
  page: Page,
): Promise<LedgerLine[]> {
  const place = page.cursor === undefined ? undefined : await openPlace(vault, wallet, page.cursor);
  const account = await findWallet(pool, wallet);
  return searchInTurn(pool, wallet.organizationId, async () => {
    const postings = await findPostings(pool, wallet.organizationId, range);
    const rest = place === undefined ? postings : before(postings, place);
    return readLines(pool, account, rest, range, rowsFor(page));
  });
}

/** All of a wallet's ledger lines as CSV, read from the database as fast as they are taken. */
export async function exportEntries(
  { pool }: Pick<EntriesDeps, "pool">,
  wallet: WalletPath,
  range: TimeRange,
): Promise<Streamed["pieces"]> {
  const { organizationId, walletId } = wallet;
  const account = await findWallet(pool, wallet);
  const read = (rest: PostingRange) => readLines(pool, account, rest, range, CSV_PIECE_ROWS);
  // What is wrong with the database shows here, while it can still be told.
  const { postings, first } = await searchInTurn(pool, organizationId, async () => {
    const postings = await findPostings(pool, organizationId, range);
    return { postings, first: await read(postings) };
  });
  return (gone) =>
    csvPieces(CSV_HEAD, first, {
      cellsOf: (line) => cellsOf(walletId, line),
      readAfter: ({ postingId }) =>
        searchInTurnHoweverLate(pool, organizationId, gone, () =>
          read(before(postings, postingId)),
        ),
    });
}

const before = ({ first, end }: PostingRange, postingId: bigint): PostingRange => ({
  first,
  end: postingId < end ? postingId : end,
});

async function findWallet(
  db: Connection,
  { organizationId, walletId }: WalletPath,
): Promise<AccountKey> {
  const { rowCount } = isId("wal", walletId)
    ? await db.query(
        "select from accounts where organization_id = $1 and account_id = $2 and kind = 'Wallet'",
        [organizationId, walletId],
      )
    : { rowCount: 0 };
  if (rowCount === 0) throw new Failure("UNABLE_TO_LOCATE_RECORD");
  return { organizationId, accountId: walletId };
}
