import { jsonList, textArray } from "../db/arrays.ts";
import { copyInto, json } from "../db/copy.ts";
import { allInPlace, ctidArray } from "../db/ctids.ts";
import type { Kept } from "../ledger/accounts.ts";
import { keyColumns, type Load, type Owned, type Table } from "./table.ts";

/**
 * A row beside an account that keeps what the account would keep for one of many: the account's own row is read and
 * written whenever its money moves, and must not grow with them. It has the id of the row that it is for.
 */
export interface Annex {
  annexId: string;
  accountId: string;
  kept?: Kept | undefined;
  /** Where the row lies, valid while its account is locked; see db/ctids. */
  ctid?: string | undefined;
}

export const annexes: Table<Annex> = {
  name: "account_annexes",
  idOf: ({ annexId }) => annexId,
  insert: copyInto<Owned<Annex>>("account_annexes", {
    organization_id: (annex) => annex.organizationId,
    annex_id: (annex) => annex.annexId,
    account_id: (annex) => annex.accountId,
    kept: (annex) => json(annex.kept ?? {}),
  }),
  update: (rows) => ({
    name: "account_annexes_update",
    text: allInPlace(
      "account_annexes",
      `
      update account_annexes x set kept = k.kept
        from rows from (unnest($2::tid[], $3::text[]), json_array_elements($4::json)) as k(ctid, annex_id, kept)
       where x.ctid = k.ctid and x.annex_id || '' = k.annex_id`,
    ),
    values: [
      rows.length,
      ctidArray(rows),
      textArray(rows.map(({ annexId }) => annexId)),
      jsonList(rows.map(({ kept }) => kept ?? {})),
    ],
  }),
};

const COLUMNS = `
  x.organization_id as "organizationId", x.annex_id as "annexId", x.account_id as "accountId", x.kept, x.ctid`;

export const annexById = annexesBy("annex_id", ({ annexId }) => annexId);

/** All of an account. */
export const annexesOfAccount = annexesBy("account_id", ({ accountId }) => accountId);

/** `offset 0` keeps this a look-up for each key, never a join. */
function annexesBy(column: "annex_id" | "account_id", keyOf: Load<Annex>["keyOf"]): Load<Annex> {
  return {
    table: annexes,
    keyOf,
    statement: (keys) => ({
      name: `account_annexes_by_${column}`,
      text: `
        select ${COLUMNS} from unnest($1::text[], $2::text[]) as k(organization_id, id)
         cross join lateral (select *, ctid from account_annexes
           where organization_id = k.organization_id and ${column} = k.id offset 0) x`,
      values: keyColumns(keys),
    }),
  };
}
