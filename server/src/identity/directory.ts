import type { Pool } from "../db/pool.ts";
import type { SharedStateFeed } from "../db/shared-state.ts";
import { isId } from "../foundation/ids.ts";
import type { Vault } from "../keys/vault.ts";
import type { Scope } from "./scopes.ts";
import { type ClientRow, findClient } from "./store.ts";

const MAX_CLIENTS = 10_000;

/** A client as requests are checked against it, its secrets in the clear. Never logged, never sent. */
export interface Client {
  clientId: string;
  organizationId: string;
  enabled: boolean;
  secret: string;
  /** The secret before the last rotation, while it still counts. */
  previousSecret?: { secret: string; until: Date };
  uniqueKey: Buffer;
  /** What the ServiceAuthorization header of this client looks like. */
  serviceAuthorization: string;
  allowedScopes: readonly Scope[];
  defaultScopes: readonly Scope[];
}

/** Finds clients fast: from memory, as long as the feed says that nothing has changed. */
export class Directory {
  readonly #pool: Pool;
  readonly #vault: Vault;
  readonly #feed: SharedStateFeed;
  readonly #clients = new Map<string, Client>();
  #version = 0n;

  constructor(pool: Pool, vault: Vault, feed: SharedStateFeed) {
    this.#pool = pool;
    this.#vault = vault;
    this.#feed = feed;
    feed.on("directoryVersion", (version) => {
      this.#version = version;
      this.#clients.clear();
    });
  }

  /** The client if it is in memory and certainly current; the hot path asks here first. */
  recall(clientId: string): Client | undefined {
    return this.#feed.isFresh() ? this.#clients.get(clientId) : undefined;
  }

  async find(clientId: string): Promise<Client | undefined> {
    const recalled = this.recall(clientId);
    if (recalled !== undefined) return recalled;

    if (!isId("cli", clientId)) return undefined;
    const version = this.#version;
    const row = await findClient(this.#pool, clientId);
    if (row === undefined) return undefined;
    const client = await openClient(row, this.#vault);
    // What was read before a change must not outlive it.
    if (version === this.#version) this.#remember(client);
    return client;
  }

  #remember(client: Client): void {
    if (this.#clients.size >= MAX_CLIENTS) this.#clients.clear();
    this.#clients.set(client.clientId, client);
  }
}

/** The secrets that count now: the current one first. */
export function liveSecrets({ secret, previousSecret }: Client, nowMs: number): string[] {
  const overlaps = previousSecret !== undefined && previousSecret.until.getTime() > nowMs;
  return overlaps ? [secret, previousSecret.secret] : [secret];
}

export const secretSealContext = (clientId: string): string => `clients/${clientId}/secret`;
export const uniqueKeySealContext = (clientId: string): string => `clients/${clientId}/unique_key`;

export async function openClient(row: ClientRow, vault: Vault): Promise<Client> {
  const { clientId, organizationId, enabled, allowedScopes, defaultScopes } = row;
  const secret = await vault.unseal(row.secretSealed, secretSealContext(clientId));
  const uniqueKey = await vault.unseal(row.uniqueKeySealed, uniqueKeySealContext(clientId));
  const client: Client = {
    clientId,
    organizationId,
    enabled,
    secret: secret.toString(),
    uniqueKey,
    serviceAuthorization: `ServiceAuth ${Buffer.from(clientId).toString("base64")}`,
    allowedScopes,
    defaultScopes,
  };
  if (row.previousSecretSealed !== null && row.previousSecretUntil !== null) {
    const previous = await vault.unseal(row.previousSecretSealed, secretSealContext(clientId));
    client.previousSecret = { secret: previous.toString(), until: row.previousSecretUntil };
  }
  return client;
}
