import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createPool, type Pool } from "../src/db/pool.ts";
import type { PresentedCard } from "../src/network/acquirer/terminal.ts";
import { type Browser, logInOwner } from "../test/harness/dashboard.ts";
import { bvn } from "../test/harness/kyc.ts";
import type { Authorizer } from "./authorizer.ts";
import type { BareRoute } from "./bare-route.ts";
import type { Cleanup } from "./cleanup.ts";
import { type Client, openClient } from "./client.ts";
import { type JoinedDatabase, joinDatabase } from "./database.ts";
import type { Decider } from "./decider.ts";
import type { Acquirer } from "./load/acquirer.ts";
import type { LoadGenerator } from "./load/generator.ts";
import { type Pgbench, preparePgbench } from "./pgbench.ts";
import { say } from "./progress.ts";
import type { Receiver } from "./receiver.ts";
import { startRole } from "./roles.ts";
import { type DataDir, makeDataDir } from "./scratch.ts";
import { type SeededCard, seedCards } from "./seed/cards.ts";
import { type CardStock, seedFreshDatabase } from "./seed/fresh-database.ts";
import { sampleCards, seedManyCards } from "./seed/many-cards.ts";
import { seedNumbers } from "./seed/numbers.ts";
import { seedOrganization } from "./seed/organizations.ts";
import { seedTransactions } from "./seed/transactions.ts";
import { launch, serviceCommand } from "./service.ts";

interface ServiceUnderTest {
  pid: number;
  networkPort: number;
  dataDir: string;
  client: Client;
}

/** An organization beside the sandbox's own. */
export interface Tenant {
  organizationId: string;
  client: Client;
  cards: SeededCard[];
}

const CARDS = 10_000;
const MANY_CARDS = 1_000_000;
/** So many of them are used: enough to meet every page of the tables, and no burden to whoever buys. */
const USED_PERCENT = 10;
const PURCHASES_EACH = 4;
/** More than a list shows before it is scrolled. */
const SHOWN_CARDS = 40;
const BUYING_SECONDS = 1;
const TENANTS = 8;
const DECIDING_TENANTS = 20;
const HUNG_TENANTS = 1;
const CARDS_OF_DECIDING = 50;

/** What figures share, each part made when a figure first asks for it. */
export class Bench {
  readonly seconds: number;
  readonly cleanup: Cleanup;
  readonly #commitWaitMs: number;
  #postgres: string | undefined;
  #pgbench: string | undefined;

  constructor(
    { seconds, commitWaitMs = 0 }: { seconds: number; commitWaitMs?: number },
    cleanup: Cleanup,
  ) {
    this.seconds = seconds;
    this.#commitWaitMs = commitWaitMs;
    this.cleanup = cleanup;
  }

  dataDir(): Promise<DataDir> {
    return makeDataDir(this.cleanup);
  }

  readonly service = once(async (): Promise<ServiceUnderTest> => {
    say("starting the service and its PostgreSQL");
    const { path } = await this.dataDir();
    const { pid, networkPort } = await launch(serviceCommand(), path, this.cleanup);
    return { pid, networkPort, dataDir: path, client: await openClient(path) };
  });

  readonly database = once(async (): Promise<JoinedDatabase> => {
    const database = await joinDatabase((await this.service()).dataDir, this.cleanup);
    this.#postgres = database.version;
    if (this.#commitWaitMs > 0) await database.slowCommits(this.#commitWaitMs);
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

  /** The same, the newest with a screen full of purchases each: those are what a list begins with. */
  readonly cardsInUse = once(async (): Promise<void> => {
    const newest = (await this.cards()).slice(-SHOWN_CARDS);
    const { url } = await this.database();
    const { call } = await this.authorizer();
    await call("open", url, await this.organizationId(), newest);
    await call("run", BUYING_SECONDS);
  });

  /** The same cards as a terminal sees them. */
  readonly presentedCards = once(async (): Promise<PresentedCard[]> => {
    const cards = await this.cards();
    say("writing their numbers");
    return seedNumbers(await this.pool(), await this.organizationId(), cards);
  });

  /** As many cards, of eight organizations. */
  readonly tenants = once(async (): Promise<Tenant[]> => {
    say("writing 10,000 cards of eight organizations");
    const tenants: Tenant[] = [];
    while (tenants.length < TENANTS) tenants.push(await this.#newTenant(CARDS / TENANTS));
    return tenants;
  });

  /** Twenty organizations that decide for themselves; the endpoint of one never answers. */
  readonly decidingTenants = once(async (): Promise<{ hung: Tenant[]; prompt: Tenant[] }> => {
    say("writing 1,000 cards of twenty organizations that decide for themselves");
    const { call } = startRole<Decider>("decider", this.cleanup);
    const urls = await call("listen", DECIDING_TENANTS, HUNG_TENANTS);
    const tenants: Tenant[] = [];
    for (const url of urls) {
      const tenant = await this.#newTenant(CARDS_OF_DECIDING, { customerManaged: true });
      await letDecide(tenant, url);
      tenants.push(tenant);
    }
    return { hung: tenants.slice(0, HUNG_TENANTS), prompt: tenants.slice(HUNG_TENANTS) };
  });

  /** An organization that has its events sent to it. */
  readonly listeningTenant = once((): Promise<Tenant> => this.#newTenant(1));

  async #newTenant(
    cardCount: number,
    options: { customerManaged?: boolean } = {},
  ): Promise<Tenant> {
    const pool = await this.pool();
    const { dataDir } = await this.service();
    const credentials = await seedOrganization(pool, options);
    const { organizationId } = credentials;
    const client = await openClient(dataDir, credentials);
    return { organizationId, client, cards: await seedCards(pool, organizationId, cardCount) };
  }

  /** The sandbox's owner, at the dashboard. */
  readonly signedIn = once(async (): Promise<Browser> => {
    const { dataDir } = await this.service();
    const sandbox = JSON.parse(await readFile(join(dataDir, "sandbox.json"), "utf8"));
    return (await logInOwner(sandbox)).browser;
  });

  /** Someone to issue cards to. */
  readonly customer = once(async (): Promise<string> => {
    const { client } = await this.service();
    const answer = await client.call({
      method: "POST",
      path: "/kyc/individual",
      body: JSON.stringify(bvn()),
    });
    return String(answer.data.customerId);
  });

  /** A list too long to be counted through: a million cards, and where a page of it begins. */
  readonly millionCards = once(async () => {
    say("writing 1,000,000 cards");
    const pool = await this.pool();
    const organizationId = await this.organizationId();
    await seedManyCards(await this.database(), pool, organizationId, MANY_CARDS);
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

  /** Cards of an installation that has seen four million purchases. */
  readonly grownStock = once(async (): Promise<CardStock> => {
    await this.millionCards();
    say("writing 4,000,000 transactions");
    const database = await this.database();
    const organizationId = await this.organizationId();
    await seedTransactions(database, organizationId, PURCHASES_EACH);
    const cards = await sampleCards(await this.pool(), organizationId, USED_PERCENT);
    return { url: database.url, organizationId, cards };
  });

  /** As many as in the other figures, in a database of their own where nothing was ever bought. */
  readonly freshStock = once(async (): Promise<CardStock> => {
    say("writing 10,000 cards to a database of their own");
    return seedFreshDatabase(await this.database(), CARDS, this.cleanup);
  });

  readonly authorizer = once(async () => startRole<Authorizer>("authorizer", this.cleanup));

  readonly pool = once(async (): Promise<Pool> => {
    const pool = createPool((await this.database()).url, 2);
    this.cleanup.add(() => pool.end());
    return pool;
  });

  readonly generator = once(async () => startRole<LoadGenerator>("load-generator", this.cleanup));

  /** For a load beside another. */
  readonly secondGenerator = once(async () =>
    startRole<LoadGenerator>("load-generator", this.cleanup),
  );

  readonly acquirer = once(async () => startRole<Acquirer>("acquirer", this.cleanup));

  readonly receiver = once(async () => {
    const { call } = startRole<Receiver>("receiver", this.cleanup);
    return { call, url: await call("listen") };
  });

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

async function letDecide({ client }: Tenant, authorizationUrl: string): Promise<void> {
  const settings = {
    model: "CustomerManaged",
    authorizationUrl,
    defaultAuthorizationDecision: "AutoDecline",
  };
  const path = "/settings/card-authorization";
  await client.call({ method: "PUT", path, body: JSON.stringify(settings) });
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
