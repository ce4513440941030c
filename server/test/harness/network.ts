import { expect } from "vitest";
import { createPool, type Pool } from "../../src/db/pool.ts";
import { audit } from "../../src/ledger/audit/audit.ts";
import { AcquirerConnection } from "../../src/network/acquirer/connection.ts";
import { type PresentedCard, Terminal } from "../../src/network/acquirer/terminal.ts";
import { additionalAmountsOf } from "../../src/network/iso8583/elements/additional-amounts.ts";
import type { Message } from "../../src/network/iso8583/fields.ts";
import type { ApiClient } from "./api-client.ts";
import { openCustomer } from "./customers.ts";
import { startTestService, type TestService } from "./service.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
type Data = any;

/** A card with its number, as its holder knows it. */
export interface IssuedCard extends PresentedCard {
  cardId: string;
}

export interface NetworkSandbox {
  service: TestService;
  client: ApiClient;
  pool: Pool;
  organizationId: string;
  terminal: Terminal;
  /** Signed on to nothing; closed with the sandbox. */
  connect(): Promise<AcquirerConnection>;
  issue(initialBalance: number, change?: object): Promise<IssuedCard>;
  /** `GET` of the API. */
  get(path: string): Promise<Data>;
  /** Of a card: what it has, and what of it is held. */
  balanceOf(card: IssuedCard): Promise<[number, number]>;
  transactionsOf(cardId: string): Promise<Data[]>;
  problems(): Promise<string[]>;
  stop(): Promise<void>;
}

/** A sandbox with an acquirer beside it. */
export async function startNetworkSandbox(
  overrides: Record<string, string> = {},
  options: Parameters<typeof startTestService>[1] = {},
): Promise<NetworkSandbox> {
  const service = await startTestService(overrides, options);
  const { client } = service;
  const pool = createPool(service.environment.FLORIN_DATABASE_URL ?? "", 2);
  const organizationId = await sandboxOrganization(pool);
  const connections: AcquirerConnection[] = [];
  const get = async (path: string): Promise<Data> => (await client.get(path)).body.data;
  return {
    service,
    client,
    pool,
    organizationId,
    terminal: new Terminal(),
    connect: async () => {
      const connection = await AcquirerConnection.open(placeOf(service.networkAddress));
      connections.push(connection);
      return connection;
    },
    issue: (initialBalance, change) =>
      issueCard(client, pool, organizationId, { initialBalance, ...change }),
    get,
    balanceOf: async ({ cardId }) => {
      const { balance, heldAmount } = await get(`/cards/${cardId}`);
      return [balance, heldAmount];
    },
    transactionsOf: (cardId) => get(`/transactions?cardId=${cardId}`),
    problems: async () => (await audit(pool)).problems,
    stop: async () => {
      for (const connection of connections) connection.cut();
      await pool.end();
      await service.stop();
    },
  };
}

export async function sandboxOrganization(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    "select organization_id as id from organizations where sandbox_seed_sealed is not null",
  );
  return rows[0]?.id ?? "";
}

/** Issues a card through the API and looks at its number. */
export async function issueCard(
  client: ApiClient,
  pool: Pool,
  organizationId: string,
  { path = "/cards/retail", ...body }: { path?: string; [field: string]: unknown },
): Promise<IssuedCard> {
  const customerId = await openCustomer(pool, organizationId);
  const issued = await client.post(path, { customerId, ...body });
  if (issued.status !== 200) throw new Error(JSON.stringify(issued.body));
  const { cardId } = issued.body.data;
  const { body: secure } = await client.get(`/cards/${cardId}/secure`);
  const { pan, cvv, currency, expiryMonth: month, expiryYear: year } = secure.data;
  return { cardId, pan, cvv, currency, expiry: { month, year } };
}

export function placeOf(address: string): { host: string; port: number } {
  const [host = "", port = ""] = address.split(/:(?=\d+$)/);
  return { host, port: Number(port) };
}

/** DE 39 of an answer. */
export const heard = (answer: Message): string => answer.fields[39] ?? "nothing";

/** Sends a message that must be answered with 00, and gives it back. */
export async function accepted(acquirer: AcquirerConnection, message: Message): Promise<Message> {
  expect(heard(await acquirer.ask(message))).toBe("00");
  return message;
}

/** What DE 54 says is available, in minor units. */
export const availableIn = (answer: Message): bigint | undefined =>
  additionalAmountsOf(answer)?.[0]?.amountMinor;
