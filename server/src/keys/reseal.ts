import { createHash } from "node:crypto";
import { bytesArray, textArray } from "../db/arrays.ts";
import type { Pool } from "../db/pool.ts";
import type { Vault } from "./vault.ts";

const DEFAULT_ROWS_AT_ONCE = 500;

/** A column of sealed values, and the row that each is bound to. */
export interface SealedColumn {
  table: string;
  column: string;
  /** The columns of the primary key. */
  key: readonly string[];
  /** The row and column that a value is sealed for, by the row's key. */
  context(key: readonly string[]): string;
  /** Fewer where the values are large. */
  rowsAtOnce?: number;
}

interface SealedRow {
  key: string[];
  sealed: Buffer;
}

/**
 * Seals with the newest key what older ones sealed, a few rows at a time, so that no lock and no
 * transaction grows with the table. A value that changes meanwhile stays as it became. Stopped half
 * way, what is left stays readable and is found the next time.
 */
export async function reseal(pool: Pool, vault: Vault, column: SealedColumn): Promise<number> {
  let after = column.key.map(() => "");
  let resealed = 0;
  for (;;) {
    const rows = await readRows(pool, column, after);
    const last = rows.at(-1);
    if (last === undefined) return resealed;
    const old = rows.filter(({ sealed }) => vault.needsReseal(sealed));
    if (old.length > 0) resealed += await writeAgain(pool, vault, column, old);
    after = last.key;
  }
}

async function readRows(pool: Pool, column: SealedColumn, after: string[]): Promise<SealedRow[]> {
  const key = column.key.join(", ");
  const parameters = after.map((_, index) => `$${index + 1}`).join(", ");
  const { rows } = await pool.query<SealedRow>(
    `select array[${key}]::text[] as key, ${column.column} as sealed from ${column.table}
      where ${column.column} is not null and (${key}) > (${parameters})
      order by ${key} limit ${column.rowsAtOnce ?? DEFAULT_ROWS_AT_ONCE}`,
    after,
  );
  return rows;
}

async function writeAgain(
  pool: Pool,
  vault: Vault,
  { table, column, key, context }: SealedColumn,
  rows: SealedRow[],
): Promise<number> {
  const again = await Promise.all(
    rows.map(async (row) =>
      vault.seal(await vault.unseal(row.sealed, context(row.key)), context(row.key)),
    ),
  );
  const keyArrays = key.map((_, index) => textArray(rows.map((row) => row.key[index] ?? "")));
  const types = [...key.map(() => "text"), "bytea", "bytea"];
  const { rowCount } = await pool.query(
    `update ${table} t set ${column} = k.sealed
       from unnest(${types.map((type, index) => `$${index + 1}::${type}[]`).join(", ")})
            as k(${key.join(", ")}, digest, sealed)
      where ${key.map((name) => `t.${name} = k.${name}`).join(" and ")}
        and sha256(t.${column}) = k.digest`,
    [...keyArrays, bytesArray(rows.map(({ sealed }) => digestOf(sealed))), bytesArray(again)],
  );
  return rowCount ?? 0;
}

const digestOf = (bytes: Buffer): Buffer => createHash("sha256").update(bytes).digest();
