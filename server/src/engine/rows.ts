import type { Statement } from "../db/lane.ts";
import type { Load, Owned, RowChange, Table } from "./table.ts";

/** What one load found. */
export interface LoadedRows {
  load: Load<never>;
  rows: Owned<object>[];
}

interface Slot {
  row: Owned<object>;
  /** What has to be written, if anything. */
  write?: "insert" | "update";
}

/** The rows of a batch besides its accounts: as loaded, then as decided, then as statements. */
export class BatchRows {
  readonly #tables = new Map<Table<never>, Map<string, Slot>>();
  /** Which rows each load finds under which key. */
  readonly #found = new Map<Load<never>, Map<string, Slot[]>>();

  constructor(loaded: LoadedRows[]) {
    for (const { load } of loaded) this.#found.set(load, new Map());
    for (const { load, rows } of loaded) {
      const slots = this.#slotsOf(load.table);
      for (const row of rows) {
        const at = slotKey(load.table, row);
        // Two loads may find the same row; it is one row.
        if (!slots.has(at)) this.#add(load.table, at, { row });
      }
    }
  }

  find<Row extends object>(table: Table<Row>, organizationId: string, id: string): Row | undefined {
    const slots = this.#tables.get(table as unknown as Table<never>);
    return slots?.get(key(organizationId, id))?.row as Row | undefined;
  }

  list<Row extends object>(load: Load<Row>, organizationId: string, id: string): Row[] {
    const found = this.#found.get(load as unknown as Load<never>)?.get(key(organizationId, id));
    return found === undefined ? [] : found.map(({ row }) => row as unknown as Row);
  }

  change(organizationId: string, { table, row, isNew }: RowChange): void {
    // Operations make their rows anew, so this one is nobody else's; copying it would cost more than all else here.
    const owned = row as Owned<object>;
    owned.organizationId = organizationId;
    const at = slotKey(table, owned);
    const before = this.#slotsOf(table).get(at);
    if (isNew === (before !== undefined)) {
      throw new Error(`A row of ${table.name} is ${isNew ? "already there" : "not loaded"}.`);
    }
    if (before === undefined) {
      this.#add(table, at, { row: owned, write: "insert" });
    } else {
      before.row = owned;
      before.write ??= "update";
    }
  }

  writes(): Statement[] {
    return [...this.#tables].flatMap(([table, slots]) => {
      const changed = (write: Slot["write"]): never[] =>
        [...slots.values()].filter((slot) => slot.write === write).map(({ row }) => row as never);
      return [
        ...write(table, "insert", changed("insert")),
        ...write(table, "update", changed("update")),
      ];
    });
  }

  #add(table: Table<never>, at: string, slot: Slot): void {
    this.#slotsOf(table).set(at, slot);
    for (const [load, found] of this.#found) {
      if (load.table !== table) continue;
      const under = key(slot.row.organizationId, load.keyOf(slot.row as never));
      const others = found.get(under);
      if (others === undefined) found.set(under, [slot]);
      else others.push(slot);
    }
  }

  #slotsOf(table: Table<never>): Map<string, Slot> {
    let slots = this.#tables.get(table);
    if (slots === undefined) {
      slots = new Map();
      this.#tables.set(table, slots);
    }
    return slots;
  }
}

const key = (organizationId: string, id: string): string => `${organizationId}/${id}`;

const slotKey = (table: Table<never>, row: Owned<object>): string =>
  key(row.organizationId, table.idOf(row as never));

function write(table: Table<never>, how: "insert" | "update", rows: never[]): Statement[] {
  if (rows.length === 0) return [];
  const statement = table[how]?.(rows);
  if (statement === undefined) throw new Error(`Rows of ${table.name} take no ${how}.`);
  return [statement];
}
