import type { FastifyInstance } from "fastify";
import type { Pool } from "../db/pool.ts";
import { within } from "../foundation/within.ts";
import { OPEN_PAGE } from "./open-page.ts";

/** For everything, a connection included. */
const READY_TIMEOUT_MS = 1_000;
/** However many ask, the database is asked four times a second at most. */
const READY_FRESH_MS = 250;
const WRITABLE = `select current_setting('transaction_read_only') = 'off' as "isWritable"`;

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
  let asked: Promise<boolean> | undefined;
  const forget = (): void => {
    asked = undefined;
  };
  const isDatabaseReady = (): Promise<boolean> => {
    asked ??= isServing(deps).finally(() => setTimeout(forget, READY_FRESH_MS).unref());
    return asked;
  };
  app.get("/healthz", OPEN_PAGE, () => ({ status: "ok" }));
  app.get("/readyz", OPEN_PAGE, async (_request, reply) => {
    const isReady = deps.isAccepting() && (await isDatabaseReady());
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? "ready" : "unavailable" });
  });
}

/** In time, that is. */
async function isServing({ pool, engine, recorder, reads }: HealthDeps): Promise<boolean> {
  const writes = [isPrimary(pool), engine.canWrite(), recorder.canWrite()];
  return within(READY_TIMEOUT_MS, Promise.all([...writes, reads.canRead()])).then(
    (all) => all.every((answer) => answer),
    () => false,
  );
}

/** A standby answers, and so does a primary that was demoted, but neither takes writes. */
async function isPrimary(pool: Pool): Promise<boolean> {
  const query = { text: WRITABLE, query_timeout: READY_TIMEOUT_MS };
  const { rows } = await pool.query<{ isWritable: boolean }>(query);
  return rows[0]?.isWritable === true;
}
