import type { Connection } from "./pool.ts";
import { RELIED_ON } from "./session-settings.ts";

/** Half of the service would work on one database, and half of it on the other. */
export class OtherDatabase extends Error {
  constructor() {
    super(
      "FLORIN_DATABASE_POOLER_URL leads to another database than FLORIN_DATABASE_URL, or to a standby of it.",
    );
  }
}

/** Nothing can be set for sessions that are shared, so they must be right by themselves. */
export class ForeignSetting extends Error {
  constructor(name: string, setting: string) {
    super(
      `Behind FLORIN_DATABASE_POOLER_URL ${name} is '${setting}': set it to '${RELIED_ON[name]}' for the role and the database, and have the pooler connect anew.`,
    );
  }
}

/** Fails unless a pooler gives what a direct connection does. */
export async function expectUsablePooler(direct: Connection, pooled: Connection): Promise<void> {
  await expectSameDatabase(direct, pooled);
  await expectSettings(pooled);
}

/** Fails unless a pooler leads to the database that is also connected to directly. */
async function expectSameDatabase(direct: Connection, pooled: Connection): Promise<void> {
  if ((await placeOf(direct)) !== (await placeOf(pooled))) throw new OtherDatabase();
}

/** No two servers are started in the same microsecond. */
async function placeOf(connection: Connection): Promise<string | undefined> {
  const { rows } = await connection.query<{ place: string }>(`
    select concat_ws(' ', extract(epoch from pg_postmaster_start_time()), oid, current_schema()) as place
      from pg_database where datname = current_database()`);
  return rows[0]?.place;
}

/** Fails unless a session that is not ours alone has what is relied on. */
async function expectSettings(pooled: Connection): Promise<void> {
  const { rows } = await pooled.query<{ name: string; setting: string }>(
    "select name, current_setting(name) as setting from unnest($1::text[]) as name",
    [Object.keys(RELIED_ON)],
  );
  for (const { name, setting } of rows) {
    // The order of days and months, which the style comes with, matters to nobody.
    const [value] = setting.split(",");
    if (value !== RELIED_ON[name]) throw new ForeignSetting(name, setting);
  }
}
