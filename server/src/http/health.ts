import type { FastifyInstance } from "fastify";
import { migrationNames } from "../db/migrations.ts";
import type { Pool } from "../db/pool.ts";
import { within } from "../foundation/within.ts";
import { OPEN_PAGE } from "./open-page.ts";

/** For everything, a connection included. */
const READY_TIMEOUT_MS = 1_000;
/** However many ask, the database is asked four times a second at most. */
const READY_FRESH_MS = 250;

/** A standby answers, and so does a primary that was demoted, but neither takes writes. */
const DATABASE = `
  select current_setting('transaction_read_only') = 'off' as "isWritable",
         exists (select from schema_migrations where name <> all ($1::text[])) as "isNewer"`;

/** Outdated is a process beside which a newer version has migrated: the schema is no longer what it knows. */
type Status = "ready" | "unavailable" | "outdated";

interface Writer {
  canWrite(): Promise<boolean>;
}

export interface HealthDeps {
  pool: Pool;
  engine: Writer;
  recorder: Writer;
  reads: { canRead(): Promise<boolean> };
  isAccepting: () => boolean;
}

/** Liveness says that the process runs; readiness, that it should be sent requests. */
export function healthRoutes(app: FastifyInstance, deps: HealthDeps): void {
  // As they are now: those of the next version may be installed while this one runs.
  const known = migrationNames();
  let asked: Promise<Status> | undefined;
  const forget = (): void => {
    asked = undefined;
  };
  const findStatus = (): Promise<Status> => {
    asked ??= lookAtAll(deps, known).finally(() => setTimeout(forget, READY_FRESH_MS).unref());
    return asked;
  };
  app.get("/healthz", OPEN_PAGE, () => ({ status: "ok" }));
  app.get("/readyz", OPEN_PAGE, async (_request, reply) => {
    const status = deps.isAccepting() ? await findStatus() : "unavailable";
    return reply.code(status === "ready" ? 200 : 503).send({ status });
  });
}

/** In time, that is. */
async function lookAtAll(deps: HealthDeps, known: string[]): Promise<Status> {
  const { pool, engine, recorder, reads } = deps;
  const works = Promise.all([engine.canWrite(), recorder.canWrite(), reads.canRead()]);
  return within(READY_TIMEOUT_MS, Promise.all([askDatabase(pool, known), works])).then(
    ([status, all]) =>
      status === "ready" && !all.every((answer) => answer) ? "unavailable" : status,
    () => "unavailable",
  );
}

async function askDatabase(pool: Pool, known: string[]): Promise<Status> {
  const query = { text: DATABASE, values: [known], query_timeout: READY_TIMEOUT_MS };
  const { rows } = await pool.query<{ isWritable: boolean; isNewer: boolean }>(query);
  if (rows[0]?.isNewer === true) return "outdated";
  return rows[0]?.isWritable === true ? "ready" : "unavailable";
}
