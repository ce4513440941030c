import type { Card } from "../../src/cards/card.ts";
import { createPool, type Pool } from "../../src/db/pool.ts";
import type { Owned } from "../../src/engine/table.ts";
import type { ApiAnswer, ApiClient } from "./api-client.ts";
import { cardEvents } from "./card-events.ts";
import { openCard } from "./cards.ts";
import { Decider } from "./decider.ts";
import { startTestService, type TestService } from "./service.ts";

const SETTINGS = "/settings/card-authorization";

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
type Data = any;

/** A sandbox whose organization decides its authorizations itself. */
export interface ManagedSandbox {
  service: TestService;
  client: ApiClient;
  pool: Pool;
  organizationId: string;
  decider: Decider;
  choose(settings: object): Promise<ApiAnswer>;
  /** Lets the decider decide, with this decision in its place. */
  letDecide(byDefault: "AutoApprove" | "AutoDecline", url?: string): Promise<void>;
  openCard(change?: Parameters<typeof openCard>[2]): Promise<Owned<Card>>;
  buy(cardId: string, amount: number, more?: object): Promise<Data>;
  follow(transactionId: string, action: string, more?: object): Promise<Data>;
  wallet(): Promise<Data>;
  card(cardId: string): Promise<Data>;
  /** What is kept of how a transaction was decided remotely. */
  remoteOf(transactionId: string): Promise<Record<string, unknown> | undefined>;
  eventsOf(cardId: string): Promise<{ type: string; data: Data }[]>;
  stop(): Promise<void>;
}

export async function startManagedSandbox(
  options: Parameters<typeof startTestService>[1] = {},
  overrides: Record<string, string> = {},
): Promise<ManagedSandbox> {
  const service = await startTestService(overrides, options);
  const { client } = service;
  const pool = createPool(service.databaseUrl, 2);
  const decider = await Decider.start();
  const { rows } = await pool.query<{ id: string }>(
    "select organization_id as id from organizations where sandbox_seed_sealed is not null",
  );
  const organizationId = rows[0]?.id ?? "";
  const choose = (settings: object) => client.call("PUT", SETTINGS, { body: settings });
  const dataOf = ({ body }: ApiAnswer) => body.data ?? body;
  return {
    service,
    client,
    pool,
    organizationId,
    decider,
    choose,
    letDecide: async (defaultAuthorizationDecision, authorizationUrl = decider.url) => {
      const settings = { model: "CustomerManaged", authorizationUrl, defaultAuthorizationDecision };
      const { status, body } = await choose(settings);
      if (status !== 200) throw new Error(JSON.stringify(body));
    },
    openCard: (change = {}) => openCard(pool, organizationId, change),
    buy: async (cardId, amount, more = {}) =>
      dataOf(await client.post("/simulator/authorizations", { cardId, amount, ...more })),
    follow: async (transactionId, action, more = {}) =>
      dataOf(await client.post(`/simulator/transactions/${transactionId}/${action}`, more)),
    wallet: async () => (await client.get("/wallets")).body.data[0],
    card: async (cardId) => (await client.get(`/cards/${cardId}`)).body.data,
    remoteOf: async (transactionId) => {
      const found = await pool.query(
        `select decision -> 'remote' as remote from transactions where transaction_id = $1`,
        [transactionId],
      );
      return found.rows[0]?.remote ?? undefined;
    },
    eventsOf: async (cardId) =>
      (await cardEvents(pool, cardId)).map(({ eventType, data }) => ({ type: eventType, data })),
    stop: async () => {
      await pool.end();
      await service.stop();
      decider.stop();
    },
  };
}
