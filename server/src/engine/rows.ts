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

  constructor(loaded: LoadedRows[]) {
    for (const { load, rows } of loaded) {
      const slots = this.#slotsOf(load.table);
      for (const row of rows) slots.set(slotKey(load.table, row), { row });
    }
  }

  find<Row extends object>(table: Table<Row>, organizationId: string, id: string): Row | undefined {
    const slots = this.#tables.get(table as unknown as Table<never>);
    return slots?.get(key(organizationId, id))?.row as Row | undefined;
  }

  list<Row extends object>(load: Load<Row>, organizationId: string, id: string): Row[] {
    const slots = this.#tables.get(load.table as unknown as Table<never>);
    return [...(slots?.values() ?? [])]
      .filter(
        ({ row }) =>
          row.organizationId === organizationId && load.keyOf(row as Row & Owned<object>) === id,
      )
      .map(({ row }) => row as unknown as Row);
  }

  change(organizationId: string, { table, row, isNew }: RowChange): void {
    const slots = this.#slotsOf(table);
    const owned = { ...row, organizationId };
    const at = slotKey(table, owned);
    const before = slots.get(at);
    if (isNew === (before !== undefined)) {
      throw new Error(`A row of ${table.name} is ${isNew ? "already there" : "not loaded"}.`);
    }
    slots.set(at, { row: owned, write: isNew ? "insert" : (before?.write ?? "update") });
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
