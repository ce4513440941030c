import { expect, test } from "vitest";
import { BatchRows } from "./rows.ts";
import {
  insert,
  type Load,
  type Owned,
  type RowChange,
  remove,
  type Table,
  update,
} from "./table.ts";

interface Shelf {
  id: string;
  room: string;
  books: number;
}

/** Statements that show which rows they would write. */
const write = (name: string) => (rows: Owned<Shelf>[]) => ({
  name,
  text: rows.map(({ organizationId, id, books }) => `${organizationId}/${id}:${books}`).join(" "),
});

const shelves: Table<Shelf> = {
  name: "shelves",
  idOf: ({ id }) => id,
  insert: write("insert"),
  update: write("update"),
  remove: write("remove"),
};
const shelvesOfRoom: Load<Shelf> = {
  table: shelves,
  keyOf: ({ room }) => room,
  statement: () => ({ name: "", text: "" }),
};

const HALL = [{ organizationId: "org_1", id: "hall" }];
const shelf = (id: string, books = 1): Shelf => ({ id, room: "hall", books });

function after(...changes: RowChange[]): { seen: string[]; written: string[] } {
  const stored = { organizationId: "org_1", ...shelf("stored") };
  const load = shelvesOfRoom as unknown as Load<never>;
  const rows = new BatchRows([{ load, keys: HALL, rows: [stored] }]);
  for (const change of changes) rows.change("org_1", change);
  return {
    seen: rows.list(shelvesOfRoom, "org_1", "hall").map(({ id, books }) => `${id}:${books}`),
    written: rows.writes().map(({ name, text }) => `${name} ${text}`),
  };
}

test.each<[string, RowChange[], string[], string[]]>([
  ["nothing", [], ["stored:1"], []],
  ["a change", [update(shelves, shelf("stored", 2))], ["stored:2"], ["update org_1/stored:2"]],
  [
    "two changes, written once",
    [update(shelves, shelf("stored", 2)), update(shelves, shelf("stored", 3))],
    ["stored:3"],
    ["update org_1/stored:3"],
  ],
  ["a new row", [insert(shelves, shelf("new"))], ["stored:1", "new:1"], ["insert org_1/new:1"]],
  [
    "a new row that is changed, inserted as it ended",
    [insert(shelves, shelf("new")), update(shelves, shelf("new", 2))],
    ["stored:1", "new:2"],
    ["insert org_1/new:2"],
  ],
  ["a removal", [remove(shelves, shelf("stored"))], [], ["remove org_1/stored:1"]],
  [
    "a change and a removal",
    [update(shelves, shelf("stored", 2)), remove(shelves, shelf("stored", 2))],
    [],
    ["remove org_1/stored:2"],
  ],
  [
    "a new row that is removed: it never was",
    [insert(shelves, shelf("new")), remove(shelves, shelf("new"))],
    ["stored:1"],
    [],
  ],
  [
    "a removed row that is made again: out and in, whole",
    [remove(shelves, shelf("stored")), insert(shelves, shelf("stored", 5))],
    ["stored:5"],
    ["remove org_1/stored:5", "insert org_1/stored:5"],
  ],
  [
    "a row made again and changed then",
    [
      remove(shelves, shelf("stored")),
      insert(shelves, shelf("stored", 5)),
      update(shelves, shelf("stored", 6)),
    ],
    ["stored:6"],
    ["remove org_1/stored:6", "insert org_1/stored:6"],
  ],
  [
    "a row made again and removed again",
    [
      remove(shelves, shelf("stored")),
      insert(shelves, shelf("stored", 5)),
      remove(shelves, shelf("stored", 5)),
    ],
    [],
    ["remove org_1/stored:5"],
  ],
])("%s", (_what, changes, seen, written) => {
  expect(after(...changes)).toEqual({ seen, written });
});

test.each<[string, RowChange[], RegExp]>([
  ["inserting what is there", [insert(shelves, shelf("stored"))], /already there/],
  ["changing what was not loaded", [update(shelves, shelf("other"))], /not loaded/],
  ["removing what was not loaded", [remove(shelves, shelf("other"))], /not loaded/],
  [
    "changing what was removed",
    [remove(shelves, shelf("stored")), update(shelves, shelf("stored"))],
    /not loaded/,
  ],
  [
    "removing twice",
    [remove(shelves, shelf("stored")), remove(shelves, shelf("stored"))],
    /not loaded/,
  ],
])("%s is a mistake", (_what, changes, message) => {
  expect(() => after(...changes)).toThrow(message);
});

test("a table without removals refuses them", () => {
  const { remove: _, ...lasting } = shelves;
  const load = { ...shelvesOfRoom, table: lasting } as unknown as Load<never>;
  const rows = new BatchRows([
    { load, keys: HALL, rows: [{ organizationId: "org_1", ...shelf("stored") }] },
  ]);
  rows.change("org_1", remove(lasting, shelf("stored")));
  expect(() => rows.writes()).toThrow("Rows of shelves take no remove.");
});

test("a row that two loads found is one row, and is gone for both when it is removed", () => {
  const shelvesById = { ...shelvesOfRoom, keyOf: ({ id }: Shelf) => id };
  const stored = () => ({ organizationId: "org_1", ...shelf("stored") });
  const loads = [shelvesOfRoom, shelvesById] as unknown as Load<never>[];
  const keys = [...HALL, { organizationId: "org_1", id: "stored" }];
  const rows = new BatchRows(loads.map((load) => ({ load, keys, rows: [stored()] })));
  const counts = () => [
    rows.list(shelvesOfRoom, "org_1", "hall").length,
    rows.list(shelvesById, "org_1", "stored").length,
    rows.find(shelves, "org_1", "stored") === undefined ? 0 : 1,
  ];
  expect(counts()).toEqual([1, 1, 1]);
  rows.change("org_1", remove(shelves, shelf("stored")));
  expect(counts()).toEqual([0, 0, 0]);
});

test("a row is written for the organization whose operation made it, whatever it says itself", () => {
  const rows = new BatchRows([]);
  const claimed = { ...shelf("new"), organizationId: "org_2" };
  rows.change("org_1", insert(shelves, claimed));
  expect(rows.writes()).toEqual([{ name: "insert", text: "org_1/new:1" }]);
  expect(rows.find(shelves, "org_2", "new")).toBeUndefined();
});

test("organizations do not meet", () => {
  const load = shelvesOfRoom as unknown as Load<never>;
  const rows = new BatchRows([
    { load, keys: HALL, rows: [{ organizationId: "org_1", ...shelf("stored") }] },
  ]);
  expect(() => rows.change("org_2", remove(shelves, shelf("stored")))).toThrow(/not loaded/);
  expect(rows.find(shelves, "org_2", "stored")).toBeUndefined();
});
