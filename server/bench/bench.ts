import { createPool, type Pool } from "../src/db/pool.ts";
import type { Authorizer } from "./authorizer.ts";
import type { BareRoute } from "./bare-route.ts";
import type { Cleanup } from "./cleanup.ts";
import { type Client, openClient } from "./client.ts";
import { type JoinedDatabase, joinDatabase } from "./database.ts";
import type { LoadGenerator } from "./load/generator.ts";
import { type Pgbench, preparePgbench } from "./pgbench.ts";
import { say } from "./progress.ts";
import { startRole } from "./roles.ts";
import { type DataDir, makeDataDir } from "./scratch.ts";
import { type SeededCard, seedCards } from "./seed/cards.ts";
import { seedOrganizations } from "./seed/organizations.ts";
import { launch, serviceCommand } from "./service.ts";

interface ServiceUnderTest {
  pid: number;
  dataDir: string;
  client: Client;
}

/** An organization beside the sandbox's own. */
interface Tenant {
  client: Client;
  cards: SeededCard[];
}

const CARDS = 10_000;
const MANY_CARDS = 1_000_000;
const TENANTS = 8;

/** Whom the sandbox's register knows. */
const ADA = {
  clientReference: "bench",
  individualKyc: {
    idType: "BVN",
    idNumber: "22222222222",
    firstName: "Ada",
    lastName: "Obi",
    address: { street: "1 Marina Road", city: "Lagos", state: "Lagos", country: "NG" },
  },
};

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

  /** The sandbox's own organization. */
  readonly organizationId = once(async (): Promise<string> => {
    const pool = await this.pool();
    const { rows } = await pool.query<{ id: string }>(
      "select organization_id as id from organizations where sandbox_seed_sealed is not null",
    );
    return rows[0]?.id ?? "";
  });

  /** 10,000 cards of the sandbox's organization. */
  readonly cards = once(async (): Promise<SeededCard[]> => {
    say("writing 10,000 cards");
    return seedCards(await this.pool(), await this.organizationId(), CARDS);
  });

  /** As many cards, of eight organizations. */
  readonly tenants = once(async (): Promise<Tenant[]> => {
    say("writing 10,000 cards of eight organizations");
    const pool = await this.pool();
    const { dataDir } = await this.service();
    const credentials = await seedOrganizations(pool, TENANTS);
    return Promise.all(
      credentials.map(async (each) => ({
        client: await openClient(dataDir, each),
        cards: await seedCards(pool, each.organizationId, CARDS / TENANTS),
      })),
    );
  });

  /** Someone to issue cards to. */
  readonly customer = once(async (): Promise<string> => {
    const { client } = await this.service();
    const answer = await client.call({
      method: "POST",
      path: "/kyc/individual",
      body: JSON.stringify(ADA),
    });
    return String(answer.data.customerId);
  });

  /** A list too long to be counted through: a million cards, and where a page of it begins. */
  readonly millionCards = once(async () => {
    say("writing 1,000,000 cards");
    const pool = await this.pool();
    const organizationId = await this.organizationId();
    await seedCards(pool, organizationId, MANY_CARDS);
    const cursorOfPage = async (number: number, size: number): Promise<string> => {
      const { rows } = await pool.query<{ id: string }>(
        `select card_id as id from cards where organization_id = $1 order by card_id desc
         offset $2 limit 1`,
        [organizationId, (number - 1) * size - 1],
      );
      return Buffer.from(rows[0]?.id ?? "").toString("base64url");
    };
    return { cursorOfPage };
  });

  readonly authorizer = once(async () => startRole<Authorizer>("authorizer", this.cleanup));

  readonly pool = once(async (): Promise<Pool> => {
    const pool = createPool((await this.database()).url, 2);
    this.cleanup.add(() => pool.end());
    return pool;
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
