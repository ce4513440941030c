import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scratchDatabase } from "../../test/harness/scratch.ts";
import { copyInto, json } from "./copy.ts";
import { Lane } from "./lane.ts";

interface Row {
  line: number;
  text: string | null;
  number: bigint | null;
  isOn: boolean;
  at: Date | null;
  bytes: Buffer | null;
  data: unknown;
}

const copyRows = copyInto<Row>("copied", {
  line: (row) => row.line,
  text: (row) => row.text,
  number: (row) => row.number,
  is_on: (row) => row.isOn,
  at: (row) => row.at,
  bytes: (row) => row.bytes,
  data: (row) => json(row.data),
});

let lane: Lane;
let drop: () => Promise<void>;
beforeAll(async () => {
  const database = await scratchDatabase();
  drop = database.drop;
  lane = new Lane({ connectionString: database.url, name: "copy", durable: false });
  await run(`create table copied (line int primary key, text text, number bigint, is_on boolean,
    at timestamptz, bytes bytea, data json)`);
});
afterAll(async () => {
  await lane.close();
  await drop();
});

const run = (text: string) => lane.send([{ name: "", text }]);

const anyText = fc.oneof(
  fc.constantFrom(
    "",
    "\\N",
    "\\.",
    "\\",
    "\\\\t",
    "\t",
    "\n",
    "\r\n",
    "\r",
    "null",
    "☃",
    "'; drop table copied",
  ),
  fc.string({ unit: "grapheme" }).map((value) => value.replaceAll("\0", "")),
);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const rows = fc.array(
  fc.record({
    text: maybe(anyText),
    number: maybe(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
    isOn: fc.boolean(),
    at: maybe(fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true })),
    bytes: maybe(fc.uint8Array().map((bytes) => Buffer.from(bytes))),
    data: maybe(fc.record({ name: anyText, list: fc.array(fc.integer()) })),
  }),
  { minLength: 1, maxLength: 20 },
);

test("PostgreSQL reads back any row, whatever is in it", async () => {
  await fc.assert(
    fc.asyncProperty(rows, async (made) => {
      const written = made.map((row, line) => ({ line, ...row }));
      const [, , found] = await lane.send([
        { name: "", text: "delete from copied" },
        copyRows(written),
        {
          name: "",
          text: `select line, text, number, is_on as "isOn", at, bytes, data from copied order by line`,
        },
      ]);
      expect(found?.rows).toEqual(written);
    }),
    { numRuns: 200 },
  );
});

const row = (line: number): Row => ({
  line,
  text: "x",
  number: 1n,
  isOn: true,
  at: null,
  bytes: null,
  data: null,
});

test("rows that cannot be kept fail the whole trip, and the connection goes on", async () => {
  await run("delete from copied");
  const statement = (text: string) => ({ name: "", text });
  const failing = lane.send([
    statement("begin"),
    copyRows([row(1), row(2)]),
    copyRows([row(2)]),
    copyRows([row(3)]),
    statement("commit"),
  ]);
  await expect(failing).rejects.toMatchObject({ code: "23505", constraint: "copied_pkey" });
  const [counted] = await run("select count(*) as rows from copied");
  expect(counted?.rows).toEqual([{ rows: 0n }]);
});

test("lines behind a statement that failed are skipped with it", async () => {
  await run("delete from copied");
  const failing = lane.send([{ name: "", text: "select 1 / 0" }, copyRows([row(1)])]);
  await expect(failing).rejects.toMatchObject({ code: "22012" });
  const [, counted] = await lane.send([
    copyRows([row(4)]),
    { name: "", text: "select line from copied" },
  ]);
  expect(counted?.rows).toEqual([{ line: 4 }]);
});
