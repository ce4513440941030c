import type { FastifyInstance } from "fastify";
import type { Pool } from "../db/pool.ts";

const READY_TIMEOUT_MS = 1_000;
/** However many ask, the database is asked four times a second at most. */
const READY_FRESH_MS = 250;
const WRITABLE = `select current_setting('transaction_read_only') = 'off' as "isWritable"`;

/** Liveness says that the process runs; readiness, that it should be sent requests. */
export function healthRoutes(
  app: FastifyInstance,
  { pool, isAccepting }: { pool: Pool; isAccepting: () => boolean },
): void {
  let asked: { atMs: number; answer: Promise<boolean> } | undefined;
  const isDatabaseReady = (): Promise<boolean> => {
    const atMs = performance.now();
    if (asked === undefined || atMs - asked.atMs > READY_FRESH_MS) {
      asked = { atMs, answer: takesWrites(pool) };
    }
    return asked.answer;
  };
  app.get("/healthz", { schema: { hide: true } }, () => ({ status: "ok" }));
  app.get("/readyz", { schema: { hide: true } }, async (_request, reply) => {
    const isReady = isAccepting() && (await isDatabaseReady());
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? "ready" : "unavailable" });
  });
}

/** In time, that is. A standby answers, and so does a primary that was demoted, but neither takes writes. */
async function takesWrites(pool: Pool): Promise<boolean> {
  const query = { text: WRITABLE, query_timeout: READY_TIMEOUT_MS };
  return pool.query<{ isWritable: boolean }>(query).then(
    ({ rows }) => rows[0]?.isWritable === true,
    () => false,
  );
}
