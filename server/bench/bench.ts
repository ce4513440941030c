import type { BareRoute } from "./bare-route.ts";
import type { Cleanup } from "./cleanup.ts";
import { type Client, openClient } from "./client.ts";
import { type JoinedDatabase, joinDatabase } from "./database.ts";
import type { LoadGenerator } from "./load/generator.ts";
import { type Pgbench, preparePgbench } from "./pgbench.ts";
import { say } from "./progress.ts";
import { startRole } from "./roles.ts";
import { type DataDir, makeDataDir } from "./scratch.ts";
import { launch, serviceCommand } from "./service.ts";

interface ServiceUnderTest {
  pid: number;
  dataDir: string;
  client: Client;
}

/** What figures share, each part made when a figure first asks for it. */
export class Bench {
  readonly seconds: number;
  readonly cleanup: Cleanup;
  #postgres: string | undefined;
  #pgbench: string | undefined;

  constructor({ seconds }: { seconds: number }, cleanup: Cleanup) {
    this.seconds = seconds;
    this.cleanup = cleanup;
  }

  dataDir(): Promise<DataDir> {
    return makeDataDir(this.cleanup);
  }

  readonly service = once(async (): Promise<ServiceUnderTest> => {
    say("starting the service and its PostgreSQL");
    const { path } = await this.dataDir();
    const { pid } = await launch(serviceCommand(), path, this.cleanup);
    return { pid, dataDir: path, client: await openClient(path) };
  });

  readonly database = once(async (): Promise<JoinedDatabase> => {
    const database = await joinDatabase((await this.service()).dataDir, this.cleanup);
    this.#postgres = database.version;
    return database;
  });

  readonly pgbench = once(async (): Promise<Pgbench> => {
    say("filling pgbench's tables (scale 50)");
    const pgbench = await preparePgbench(await this.database(), this.cleanup);
    this.#pgbench = pgbench.version;
    return pgbench;
  });

  readonly generator = once(async () => startRole<LoadGenerator>("load-generator", this.cleanup));

  readonly bareRoute = once(async () => {
    const { client } = await this.service();
    const body = await client.get("/wallets");
    const { pid, call } = startRole<BareRoute>("bare-route", this.cleanup);
    return { pid, origin: await call("serve", "/api/v1/wallets", body) };
  });

  /** Of the programs that took part. */
  versions(): { postgres?: string; pgbench?: string } {
    return {
      ...(this.#postgres === undefined ? {} : { postgres: this.#postgres }),
      ...(this.#pgbench === undefined ? {} : { pgbench: this.#pgbench }),
    };
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
