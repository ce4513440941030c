import type { Statement } from "../db/lane.ts";
import type { Account } from "../ledger/accounts.ts";
import { type Annex, annexById, annexes, annexesOfAccount } from "./annexes.ts";
import {
  type Keeper,
  Lacking,
  type Load,
  type Need,
  need,
  type Owned,
  type RowChange,
  type RowKey,
  type Table,
} from "./table.ts";

/** What one load found. */
export interface LoadedRows {
  load: Load<never>;
  keys: readonly RowKey[];
  rows: Owned<object>[];
}

/** What an account, or an annex of it, keeps of a table from now on. */
export interface KeptRows {
  organizationId: string;
  accountId: string;
  annexId: string | undefined;
  table: string;
  rows: object[];
}

/** What became of a row in this batch. */
type Fate = "Kept" | "Changed" | "Made" | "Removed";

interface Slot {
  row: Owned<object>;
  /** Whether the database has it, as far as it was loaded. */
  isStored: boolean;
  fate: Fate;
}

/** The rows of a batch besides its accounts: as loaded, then as decided, then as statements. */
export class BatchRows {
  readonly #accounts: readonly Account[];
  readonly #tables = new Map<Table<never>, Map<string, Slot>>();
  /** Which rows each load finds under which key; a key that is not there was not asked for. */
  readonly #found = new Map<Load<never>, Map<string, Slot[]>>();

  constructor(loaded: LoadedRows[], accounts: readonly Account[] = []) {
    this.#accounts = accounts;
    for (const { load, keys } of loaded) {
      const found = this.#found.get(load) ?? new Map<string, Slot[]>();
      for (const { organizationId, id } of keys) found.set(key(organizationId, id), []);
      this.#found.set(load, found);
    }
    for (const { load, rows } of loaded) {
      const slots = this.#slotsOf(load.table);
      for (const row of rows) {
        const at = slotKey(load.table, row);
        // Two loads may find the same row; it is one row.
        if (!slots.has(at)) this.#add(load.table, at, { row, isStored: true, fate: "Kept" });
      }
    }
  }

  find<Row extends object>(table: Table<Row>, organizationId: string, id: string): Row | undefined {
    const slot = this.#slotsOf(table as unknown as Table<never>).get(key(organizationId, id));
    if (slot === undefined && table.inAccount !== undefined) this.#askForAnnex(organizationId, id);
    return slot === undefined || slot.fate === "Removed" ? undefined : (slot.row as Row);
  }

  list<Row extends object>(load: Load<Row>, organizationId: string, id: string): Row[] {
    const found = this.#found.get(load as unknown as Load<never>)?.get(key(organizationId, id));
    if (found === undefined) throw new Lacking([need(load, id)]);
    const rows: Row[] = [];
    for (const { fate, row } of found) {
      if (fate !== "Removed") rows.push(row as unknown as Row);
    }
    return rows;
  }

  /** Throws unless all of them were read. */
  want(organizationId: string, needs: readonly Need[]): void {
    const lacking = needs.filter(
      (need) => this.#found.get(need.load)?.has(key(organizationId, need.key)) !== true,
    );
    if (lacking.length > 0) throw new Lacking(lacking);
  }

  /** The rows that an account and its annexes keep of a table. */
  keptIn<Row extends object>(table: Table<Row>, organizationId: string, accountId: string): Row[] {
    const rows: Row[] = [];
    const isIt = (account: Account): boolean =>
      account.accountId === accountId && account.organizationId === organizationId;
    // Asked for, so that all of them are there.
    if (this.#accounts.find(isIt)?.kept?.annexes === true) {
      this.list(annexesOfAccount, organizationId, accountId);
    }
    for (const { row } of this.#slotsOf(table as unknown as Table<never>).values()) {
      const isIts = table.inAccount?.placeOf(row as unknown as Row).accountId === accountId;
      if (isIts && row.organizationId === organizationId) rows.push(row as unknown as Row);
    }
    return rows;
  }

  change(organizationId: string, { table, row, how }: RowChange): void {
    // Operations make their rows anew, so this one is nobody else's; copying it would cost more than all else here.
    const owned = row as Owned<object>;
    owned.organizationId = organizationId;
    const at = slotKey(table, owned);
    const slot = this.#slotsOf(table).get(at);
    if (slot === undefined && table.inAccount !== undefined && how !== "insert") {
      this.#askForAnnex(organizationId, table.idOf(row as never));
    }
    const isThere = slot !== undefined && slot.fate !== "Removed";
    if ((how === "insert") === isThere) {
      throw new Error(`A row of ${table.name} is ${isThere ? "already there" : "not loaded"}.`);
    }
    if (slot === undefined) this.#add(table, at, { row: owned, isStored: false, fate: "Made" });
    else {
      slot.row = owned;
      slot.fate = fateAfter(slot.fate, how);
    }
    const { mirror } = table;
    if (mirror !== undefined) {
      this.change(organizationId, { table: mirror.table, row: mirror.of(row as never), how });
    }
  }

  writes(): Statement[] {
    const statements: Statement[] = [];
    for (const [table, slots] of this.#tables) {
      if (table.inAccount !== undefined) continue;
      const rows: Record<RowChange["how"], never[]> = { remove: [], insert: [], update: [] };
      for (const { row, isStored, fate } of slots.values()) {
        // A row that is made again leaves first: an update might not write all of it.
        if (isStored && (fate === "Removed" || fate === "Made")) rows.remove.push(row as never);
        if (fate === "Made") rows.insert.push(row as never);
        if (fate === "Changed") rows.update.push(row as never);
      }
      for (const how of ["remove", "insert", "update"] as const) {
        if (rows[how].length > 0) statements.push(write(table, how, rows[how]));
      }
    }
    return statements;
  }

  /** For each table, the rows that are kept in those accounts and annexes where one of them is to be written. */
  kept(): KeptRows[] {
    return [...this.#tables].flatMap(([table, slots]) => keptRows(table, slots));
  }

  keepInAnnex(organizationId: string, annexId: string, { accountId, table, rows }: KeptRows): void {
    const before = this.find(annexes, organizationId, annexId);
    const kept = { ...before?.kept, [table]: rows };
    const row: Annex = { annexId, accountId, kept, ctid: before?.ctid };
    const how = before === undefined ? "insert" : "update";
    this.change(organizationId, { table: annexes as unknown as Table<never>, row, how });
  }

  #add(table: Table<never>, at: string, slot: Slot): void {
    this.#slotsOf(table).set(at, slot);
    for (const [load, found] of this.#found) {
      if (load.table !== table) continue;
      const under = key(slot.row.organizationId, load.keyOf(slot.row as never));
      found.get(under)?.push(slot);
    }
  }

  #slotsOf(table: Table<never>): Map<string, Slot> {
    let slots = this.#tables.get(table);
    if (slots === undefined) {
      slots = new Map();
      this.#tables.set(table, slots);
      this.#readKept(table, slots);
    }
    return slots;
  }

  #readKept(table: Table<never>, slots: Map<string, Slot>): void {
    const { inAccount } = table;
    if (inAccount === undefined) return;
    const read = (keeper: Keeper): void => {
      for (const row of inAccount.read(keeper)) {
        slots.set(slotKey(table, row), { row, isStored: true, fate: "Kept" });
      }
    };
    for (const account of this.#accounts) read(account);
    for (const { row } of this.#slotsOf(annexes as unknown as Table<never>).values()) {
      read(row as Owned<Annex>);
    }
  }

  /** What no account keeps may be kept in an annex that was not read. */
  #askForAnnex(organizationId: string, id: string): void {
    if (!this.#accounts.some(({ kept }) => kept?.annexes === true)) return;
    this.list(annexById, organizationId, id);
  }
}

function keptRows(table: Table<never>, slots: Map<string, Slot>): KeptRows[] {
  const { name, inAccount } = table;
  if (inAccount === undefined) return [];
  const kept = new Map<string, KeptRows>();
  const keeperOf = ({ row }: Slot): Omit<KeptRows, "rows"> => {
    const { accountId, isAnnexed } = inAccount.placeOf(row as never);
    const annexId = isAnnexed ? table.idOf(row as never) : undefined;
    return { organizationId: row.organizationId, accountId, annexId, table: name };
  };
  const keyOf = ({ organizationId, accountId, annexId }: Omit<KeptRows, "rows">): string =>
    key(organizationId, annexId ?? accountId);
  for (const slot of slots.values()) {
    if (slot.fate === "Kept") continue;
    if (slot.fate === "Removed") throw new Error(`Rows of ${name} take no remove.`);
    const keeper = keeperOf(slot);
    kept.set(keyOf(keeper), { ...keeper, rows: [] });
  }
  for (const slot of kept.size === 0 ? [] : slots.values()) {
    kept.get(keyOf(keeperOf(slot)))?.rows.push(inAccount.write(slot.row as never));
  }
  return [...kept.values()];
}

const key = (organizationId: string, id: string): string => `${organizationId}/${id}`;

const slotKey = (table: Table<never>, row: Owned<object>): string =>
  key(row.organizationId, table.idOf(row as never));

function fateAfter(before: Fate, how: RowChange["how"]): Fate {
  if (how === "remove") return "Removed";
  return how === "insert" || before === "Made" ? "Made" : "Changed";
}

function write(table: Table<never>, how: RowChange["how"], rows: never[]): Statement {
  const statement = table[how]?.(rows);
  if (statement === undefined) throw new Error(`Rows of ${table.name} take no ${how}.`);
  return statement;
}
