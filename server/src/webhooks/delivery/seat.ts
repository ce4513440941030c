import type pg from "pg";
import { type Connection, createClient } from "../../db/pool.ts";

/** The class of the advisory locks that living workers hold, each on its own number. */
const SEAT_LOCKS = 4_005;

interface Taken {
  client: pg.Client;
  workerId: number;
}

/**
 * A number for this process, and a connection that holds its lock. When the process dies, so does the
 * connection, and others see at once that nobody works under that number any more.
 */
export class WorkerSeat {
  readonly #connectionString: string;
  #taken: Promise<Taken> | undefined;

  constructor(connectionString: string) {
    this.#connectionString = connectionString;
  }

  /** The number to work under now: another one after the connection broke. */
  async workerId(): Promise<number> {
    this.#taken ??= this.#take();
    return (await this.#taken).workerId;
  }

  async leave(): Promise<void> {
    const taken = await this.#taken?.catch(() => undefined);
    this.#taken = undefined;
    if (taken === undefined) return;
    const { client, workerId } = taken;
    await client
      .query("delete from webhook_workers where worker_id = $1", [workerId])
      .catch(() => undefined);
    await client.end().catch(() => undefined);
  }

  #take(): Promise<Taken> {
    const taken: Promise<Taken> = this.#connect(() => {
      if (this.#taken === taken) this.#taken = undefined;
    });
    taken.catch(() => {
      if (this.#taken === taken) this.#taken = undefined;
    });
    return taken;
  }

  async #connect(onEnd: () => void): Promise<Taken> {
    const client = createClient(this.#connectionString, {
      application_name: "florin-webhooks-seat",
      connectionTimeoutMillis: 5_000,
      query_timeout: 10_000,
      keepAlive: true,
    });
    client.on("error", onEnd);
    client.on("end", onEnd);
    await client.connect();
    // In one transaction: nobody sees the number before the lock is held.
    await client.query("begin");
    const { rows } = await client.query<{ workerId: number }>(
      `insert into webhook_workers default values returning worker_id as "workerId"`,
    );
    const workerId = rows[0]?.workerId ?? 0;
    await client.query("select pg_advisory_lock($1, $2)", [SEAT_LOCKS, workerId]);
    await client.query("commit");
    return { client, workerId };
  }
}

/** Frees what dead workers had taken; without it that would happen when their leases are over. */
export async function releaseDeadSeats(db: Connection): Promise<number> {
  const { rows } = await db.query<{ workerId: number }>(
    `delete from webhook_workers w
      where not exists (
        select from pg_locks l
         where l.locktype = 'advisory' and l.objsubid = 2 and l.granted
           and l.database = (select oid from pg_database where datname = current_database())
           and l.classid = $1 and l.objid = w.worker_id)
     returning worker_id as "workerId"`,
    [SEAT_LOCKS],
  );
  if (rows.length === 0) return 0;
  const { rowCount } = await db.query(
    `update webhook_deliveries set lease_until = null, worker_id = null where worker_id = any($1)`,
    [rows.map(({ workerId }) => workerId)],
  );
  return rowCount ?? 0;
}
