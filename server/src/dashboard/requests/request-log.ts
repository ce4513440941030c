import type { FastifyRequest } from "fastify";
import { Counter, type Registry } from "prom-client";
import type { Pool } from "../../db/pool.ts";
import { FailureLog } from "../../foundation/failure-log.ts";
import type { Log } from "../../foundation/log.ts";
import { redactText } from "../../foundation/redact.ts";
import { pathOf } from "../../http/caller.ts";
import { REFERENCE_PATTERN } from "../../references/claim.ts";
import { insertRequests, type LoggedRequest } from "./store.ts";

const FLUSH_MS = 250;
/** In each stretch of FLUSH_MS. Failures have a bound of their own, so that successes cannot crowd them out. */
const MAX_SUCCESSES = 50;
const MAX_FAILURES = 50;
const MAX_PATH_LENGTH = 200;

/**
 * Notes the API's answers for the developers of its clients. It must cost the API nothing to speak of: what
 * is noted is written in one statement four times a second, off the path of every request, and under
 * load only the first answers of each stretch are.
 */
export class RequestLog {
  readonly #pool: Pool;
  readonly #troubles: FailureLog;
  readonly #dropped: Counter;
  #waiting: LoggedRequest[] = [];
  #successes = 0;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(pool: Pool, log: Log, registry: Registry) {
    this.#pool = pool;
    this.#troubles = new FailureLog(log, "request-log", "the request log could not be written");
    this.#dropped = new Counter({
      name: "florin_request_log_dropped_total",
      help: "Answers of the API that were not noted for the dashboard's request log, because there were many.",
      registers: [registry],
    });
  }

  note(
    request: FastifyRequest,
    httpStatus: number,
    responseCode: string,
    durationMs: number,
  ): void {
    const organizationId = request.caller?.organizationId ?? request.refusedFor;
    if (organizationId === undefined) return;
    if (!this.#hasRoom(httpStatus === 200)) return;
    this.#waiting.push({
      organizationId,
      requestId: request.id,
      method: request.method,
      path: pathOf(request.url).slice(0, MAX_PATH_LENGTH),
      reference: request.caller?.claim.reference ?? refusedReference(request),
      responseCode,
      httpStatus,
      durationMs,
      at: new Date(),
    });
    this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS);
  }

  /** Writes what waits. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#flush();
    await this.#writing;
  }

  #hasRoom(isSuccess: boolean): boolean {
    return isSuccess ? ++this.#successes <= MAX_SUCCESSES : ++this.#failures <= MAX_FAILURES;
  }

  #flush(): void {
    this.#timer = undefined;
    const rows = this.#waiting.map(withoutSecrets);
    this.#waiting = [];
    this.#dropped.inc(this.#successes + this.#failures - rows.length);
    this.#successes = 0;
    this.#failures = 0;
    if (rows.length === 0) return;
    this.#writing = this.#writing
      .then(() => insertRequests(this.#pool, rows))
      .then(
        () => this.#troubles.worked(),
        (error: unknown) => this.#troubles.failed(error),
      );
  }
}

/** The Reference, unless that is what was wrong with the request. */
function refusedReference({ headers: { reference } }: FastifyRequest): string {
  return typeof reference === "string" && REFERENCE_PATTERN.test(reference) ? reference : "";
}

/** Clients choose their References and what they put into paths, so either may hold a secret. */
const withoutSecrets = (row: LoggedRequest): LoggedRequest => ({
  ...row,
  path: redactText(row.path),
  reference: redactText(row.reference),
});
