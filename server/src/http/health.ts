import type { FastifyInstance } from "fastify";
import type { Pool } from "../db/pool.ts";

const READY_TIMEOUT_MS = 1_000;
/** However many ask, the database is asked four times a second at most. */
const READY_FRESH_MS = 250;

/** Liveness says that the process runs; readiness, that it should be sent requests. */
export function healthRoutes(
  app: FastifyInstance,
  { pool, isAccepting }: { pool: Pool; isAccepting: () => boolean },
): void {
  let asked: { atMs: number; answer: Promise<boolean> } | undefined;
  const isDatabaseUp = (): Promise<boolean> => {
    const atMs = performance.now();
    if (asked === undefined || atMs - asked.atMs > READY_FRESH_MS) {
      asked = { atMs, answer: answersInTime(pool) };
    }
    return asked.answer;
  };
  app.get("/healthz", { schema: { hide: true } }, () => ({ status: "ok" }));
  app.get("/readyz", { schema: { hide: true } }, async (_request, reply) => {
    const isReady = isAccepting() && (await isDatabaseUp());
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? "ready" : "unavailable" });
  });
}

async function answersInTime(pool: Pool): Promise<boolean> {
  const query = { text: "select 1", query_timeout: READY_TIMEOUT_MS };
  return pool.query(query).then(
    () => true,
    () => false,
  );
}
