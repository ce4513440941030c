import { textArray } from "../db/arrays.ts";
import type { Statement } from "../db/lane.ts";
import type { Account } from "../ledger/accounts.ts";

/**
 * Rows that hang on accounts: cards, transactions, charges. They need no locks of their own, because
 * they are read once their account is locked and changed only by whoever holds it.
 */
export interface Table<Row extends object> {
  readonly name: string;
  idOf(row: Row): string;
  /** Missing where rows are only read. */
  insert?(rows: Owned<Row>[]): Statement;
  /** Missing where rows never change. */
  update?(rows: Owned<Row>[]): Statement;
  /** Missing where rows stay for ever. */
  remove?(rows: Owned<Row>[]): Statement;
  /** For rows that have no place of their own: they are read, locked and written with their account. */
  readonly inAccount?: InAccount<Row>;
  /** What each of its rows comes to in another table, which changes with it. */
  readonly mirror?: Mirror<Row>;
}

/** How rows are kept in the account that they hang on, or in an annex of it. */
export interface InAccount<Row extends object> {
  placeOf(row: Row): Place;
  read(keeper: Keeper): Owned<Row>[];
  /** As it is stored. */
  write(row: Row): object;
}

export interface Place {
  accountId: string;
  /** Whether it is kept in an annex of its own, see annexes. */
  isAnnexed: boolean;
}

/** An account or an annex. */
export interface Keeper extends Owned<Pick<Account, "accountId" | "kept">> {
  annexId?: string | undefined;
}

export interface Mirror<Row extends object> {
  readonly table: Table<never>;
  of(row: Row): object;
}

export const mirrorIn = <Row extends object, Image extends object>(
  table: Table<Image>,
  of: (row: Row) => Image,
): Mirror<Row> => ({ table: table as unknown as Table<never>, of });

/** A way to find rows of a table, for many keys at once. */
export interface Load<Row extends object> {
  readonly table: Table<Row>;
  statement(keys: RowKey[]): Statement;
  /** Which key finds this row. */
  keyOf(row: Row): string;
}

export interface RowKey {
  organizationId: string;
  id: string;
}

export type Owned<Row> = Row & { organizationId: string };

/** What an operation wants to read besides accounts. */
export interface Need {
  load: Load<never>;
  key: string;
}

/** Thrown through a decision that asks for what was not read yet. It is made again once that is there. */
export class Lacking extends Error {
  override readonly name = "Lacking";
  readonly needs: readonly Need[];

  constructor(needs: readonly Need[]) {
    super(`Rows of ${needs.map(({ load }) => load.table.name).join(", ")} were not read.`);
    this.needs = needs;
  }
}

/** A row to be written. The last word on a row counts, and is written once. */
export interface RowChange {
  table: Table<never>;
  row: object;
  how: "insert" | "update" | "remove";
}

export const need = <Row extends object>(load: Load<Row>, key: string): Need => ({
  load: load as unknown as Load<never>,
  key,
});

export const insert = change("insert");
export const update = change("update");
export const remove = change("remove");

function change(how: RowChange["how"]) {
  return <Row extends object>(table: Table<Row>, row: Row): RowChange => ({
    table: table as unknown as Table<never>,
    row,
    how,
  });
}

/** The organizations and ids of keys, as two columns of a statement. */
export function keyColumns(keys: RowKey[]): [string, string] {
  return [textArray(keys.map((k) => k.organizationId)), textArray(keys.map((k) => k.id))];
}
