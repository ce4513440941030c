import pg from "pg";
import { inWords, isDenied } from "./errors.ts";
import { withoutLimits } from "./limits.ts";
import { type Migration, MigrationError, readMigrations } from "./migrations.ts";

/** Any constant that nothing else in the database locks. */
const MIGRATION_LOCK = 4_000_000_001;

/** A first start takes a second or two; whoever only wants to look does not wait for more than that. */
const INSPECT_PATIENCE_MS = 10_000;
const NO_LIMIT = 0;
const LOCK_TIMEOUT = "55P03";

type Pending = "All" | "Some" | "None";

/** Fails unless a database has the newest schema. */
export async function expectMigrated(connectionString: string): Promise<void> {
  expectNone(await inspect(connectionString));
}

/** The same, but an empty database is given the newest schema. */
export async function migrateIfEmpty(connectionString: string): Promise<void> {
  const pending = await inspect(connectionString);
  if (pending === "All") await migrate(connectionString);
  else expectNone(pending);
}

function expectNone(pending: Pending): void {
  if (pending === "All") {
    throw new MigrationError(
      "Florin has not used this database yet: start it there first, or look for FLORIN_DATABASE_URL or FLORIN_DATA_DIR set wrong.",
    );
  }
  if (pending === "Some") {
    throw new MigrationError(
      "The schema of the database is not up to date: run `florin migrate` first.",
    );
  }
}

/** How many migrations a database still needs, once nobody is applying any. Changes nothing. */
async function inspect(connectionString: string): Promise<Pending> {
  return alone(connectionString, INSPECT_PATIENCE_MS, async (client) => {
    const { rows } = await client.query<{ isEmpty: boolean }>(
      `select to_regclass('schema_migrations') is null as "isEmpty"`,
    );
    if (rows[0]?.isEmpty === true) return "All";
    return (await findPending(client)).length > 0 ? "Some" : "None";
  });
}

/**
 * Brings a database to the newest schema. Safe when several processes start at once: they queue for
 * an advisory lock, and whoever comes second finds nothing left to do.
 */
export async function migrate(
  connectionString: string,
  log: (line: string) => void = () => undefined,
): Promise<void> {
  await alone(connectionString, NO_LIMIT, async (client) => {
    await createMigrationsTable(client);
    for (const migration of await findPending(client)) {
      log(`Applying migration ${migration.name}`);
      await apply(client, migration);
    }
  });
}

/** Works on a database while no other process migrates it. */
async function alone<T>(
  connectionString: string,
  patienceMs: number,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString, application_name: "florin-migrate" });
  // A connection that breaks fails whoever uses it next; without a listener it would end the process.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await withoutLimits(client, async () => {
      await takeLock(client, patienceMs);
      try {
        return await work(client);
      } finally {
        // Not left to the end of the connection, which a pooler between may keep open.
        const text = "select pg_advisory_unlock($1)";
        await client.query(text, [MIGRATION_LOCK]).catch(() => undefined);
      }
    });
  } finally {
    await client.end();
  }
}

async function takeLock(client: pg.Client, patienceMs: number): Promise<void> {
  try {
    await client.query(`set lock_timeout = ${patienceMs}`);
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === LOCK_TIMEOUT)) throw error;
    throw new MigrationError("The database is being migrated: try again when that is done.");
  }
  await client.query("set lock_timeout = 0");
}

/** Also where there is one already: the service creates tables as it runs, so it must be allowed to. */
async function createMigrationsTable(client: pg.Client): Promise<void> {
  try {
    await client.query(`create table if not exists schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
  } catch (error) {
    throw isDenied(error) ? await missingPrivilege(client) : error;
  }
}

/** PostgreSQL grants it to the owner of the database alone, since version 15. */
async function missingPrivilege(client: pg.Client): Promise<MigrationError> {
  const { rows } = await client.query<{ role: string; database: string; schema: string }>(
    `select quote_ident(current_user) as role, quote_ident(current_database()) as database,
            quote_ident(coalesce(current_schema(), 'public')) as schema`,
  );
  const { role, database, schema } = rows[0] ?? { role: "", database: "", schema: "" };
  return new MigrationError(
    `The role ${role} may not create tables in the database ${database}: make it the owner, or \`grant usage, create on schema ${schema} to ${role}\`.`,
  );
}

async function findPending(client: pg.Client): Promise<Migration[]> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    "select name, checksum from schema_migrations",
  );
  const applied = new Map(rows.map((row) => [row.name, row.checksum]));
  const known = readMigrations();

  const unknown = [...applied.keys()].filter((name) => !known.some((m) => m.name === name));
  if (unknown.length > 0) {
    throw new MigrationError(
      `The database was migrated by a newer Florin (${unknown.join(", ")}): start that version instead.`,
    );
  }
  const changed = known.filter((m) => applied.has(m.name) && applied.get(m.name) !== m.checksum);
  if (changed.length > 0) {
    throw new MigrationError(
      `These migrations differ from those that the database was made with: ${changed.map((m) => m.name).join(", ")}. Run the version that made it, or begin with a new database or data directory.`,
    );
  }
  return known.filter((m) => !applied.has(m.name));
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query("begin");
  try {
    await client.query(migration.sql);
    await client.query("insert into schema_migrations (name, checksum) values ($1, $2)", [
      migration.name,
      migration.checksum,
    ]);
    await client.query("commit");
  } catch (error) {
    // What failed matters, and not that a broken connection cannot take it back.
    await client.query("rollback").catch(() => undefined);
    throw new MigrationError(`Migration ${migration.name} failed: ${inWords(error)}`, {
      cause: error,
    });
  }
}
