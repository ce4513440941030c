import type { Connection } from "./pool.ts";

/** Half of the service would work on one database, and half of it on the other. */
export class OtherDatabase extends Error {
  constructor() {
    super(
      "FLORIN_DATABASE_POOLER_URL leads to another database than FLORIN_DATABASE_URL, or to a standby of it.",
    );
  }
}

/** Nothing can be set for sessions that are shared, so it must be right by itself. */
export class UnreadableTimes extends Error {
  constructor(style: string) {
    super(
      `Behind FLORIN_DATABASE_POOLER_URL times are written in the style "${style}": set datestyle to ISO for the role and the database, and have the pooler connect anew.`,
    );
  }
}

/** Fails unless a pooler gives what a direct connection does. */
export async function expectUsablePooler(direct: Connection, pooled: Connection): Promise<void> {
  await expectSameDatabase(direct, pooled);
  await expectReadableTimes(pooled);
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

async function expectReadableTimes(pooled: Connection): Promise<void> {
  const { rows } = await pooled.query<{ style: string }>(
    "select current_setting('datestyle') as style",
  );
  const style = rows[0]?.style ?? "";
  if (!style.startsWith("ISO")) throw new UnreadableTimes(style);
}
