import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { execute } from "../../test/harness/empty-database.ts";
import { scratchDatabase } from "../../test/harness/scratch.ts";
import { Lane } from "./lane.ts";
import { createClient, createPool } from "./pool.ts";
import { expectUsablePooler } from "./pooler.ts";

const SHOW = `select current_setting('datestyle') as style, current_setting('array_nulls') as nulls,
                     current_setting('transaction_isolation') as isolation`;
const SETTLED = { style: "ISO, DMY", nulls: "on", isolation: "read committed" };

let database: Awaited<ReturnType<typeof scratchDatabase>>;
const prefer = (setting: string) =>
  execute(database.url, `alter database ${new URL(database.url).pathname.slice(1)} ${setting}`);
beforeAll(async () => {
  database = await scratchDatabase();
});
afterAll(() => database.drop());

describe("in a database with settings of its own", () => {
  beforeAll(async () => {
    await prefer("set datestyle = 'German, DMY'");
    await prefer("set default_transaction_isolation = 'repeatable read'");
    await prefer("set array_nulls = off");
  });
  afterAll(() => prefer("reset all"));

  test("the sessions of a pool have ours", async () => {
    const pool = createPool(database.url, 1);
    expect((await pool.query(SHOW)).rows).toEqual([SETTLED]);
    await pool.end();
  });

  test("the session of a lane has ours", async () => {
    const lane = new Lane({ connectionString: database.url, name: "test", durable: true });
    const [answer] = await lane.send([{ name: "show", text: SHOW }]);
    expect(answer?.rows).toEqual([SETTLED]);
    await lane.close();
  });
});

test.each([
  ["datestyle = 'ISO, YMD'", undefined],
  ["datestyle = 'SQL, DMY'", "datestyle is 'SQL, DMY': set it to 'ISO'"],
  [
    "default_transaction_isolation = 'serializable'",
    "default_transaction_isolation is 'serializable': set it to 'read committed'",
  ],
  ["array_nulls = off", "array_nulls is 'off': set it to 'on'"],
])("a shared session with %s", async (setting, problem) => {
  await prefer(`set ${setting}`);
  const client = createClient(database.url);
  await client.connect();
  try {
    if (problem === undefined) await expectUsablePooler(client, client);
    else await expect(expectUsablePooler(client, client)).rejects.toThrow(problem);
  } finally {
    await client.end();
    await prefer("reset all");
  }
});
