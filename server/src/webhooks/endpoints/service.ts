import type { Connection, Pool } from "../../db/pool.ts";
import type { Clock } from "../../foundation/clock.ts";
import { DAY_MS } from "../../foundation/dates.ts";
import { Failure } from "../../foundation/failure.ts";
import { firstId, isId, newId } from "../../foundation/ids.ts";
import type { Caller } from "../../http/caller.ts";
import type { Page } from "../../http/pagination.ts";
import type { Vault } from "../../keys/vault.ts";
import { onceInTransaction } from "../../references/once-in-transaction.ts";
import type { EndpointKey } from "../delivery/delivery.ts";
import type { WebhookWorker } from "../delivery/worker.ts";
import type { EventType } from "../event-types.ts";
import { endpointSecretPlace, newEndpointSecret } from "./secret.ts";
import {
  deleteEndpoint,
  type Endpoint,
  type EndpointChange,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  replaceEndpointSecret,
  startRecovery,
  updateEndpoint,
} from "./store.ts";
import { holdEnabled, keepWaiting, takeUpWaiting } from "./waiting.ts";

const MAX_ENDPOINTS = 50;
/** How often an endpoint takes up what it is behind with, before it comes to want other events. */
const MAX_STEPS = 50;
/** In service time. */
const SECRET_OVERLAP_MS = DAY_MS;

export interface EndpointDeps {
  pool: Pool;
  clock: Clock;
  vault: Vault;
  webhooks: Pick<WebhookWorker, "agent" | "targets" | "relay" | "look" | "prepare">;
}

/** An endpoint with its secret, which is shown when it is made and never again. */
export interface EndpointWithSecret {
  endpoint: Endpoint;
  secret: string;
}

export async function createEndpoint(
  deps: EndpointDeps,
  { organizationId, claim }: Caller,
  { url, eventTypes }: { url: string; eventTypes: EventType[] },
): Promise<EndpointWithSecret> {
  const { clock, vault, webhooks } = deps;
  await checkUrl(deps, url);
  // What is committed before an endpoint exists is not for it.
  await webhooks.relay.caughtUp();
  const createdAt = clock.now();
  const webhookEndpointId = newId("whe", createdAt.getTime());
  const secret = newEndpointSecret();
  const secretSealed = vault.seal(secret, endpointSecretPlace(organizationId, webhookEndpointId));
  const row = {
    organizationId,
    webhookEndpointId,
    url,
    eventTypes: [...new Set(eventTypes)],
    secretSealed,
    createdAt,
  };
  await onceInTransaction(
    deps,
    claim,
    async (tx) => {
      if (!(await insertEndpoint(tx, row, MAX_ENDPOINTS))) throw tooMany();
    },
    webhookEndpointId,
  );
  await webhooks.prepare();
  return {
    endpoint: {
      ...row,
      status: "Enabled",
      previousSecretSealed: null,
      previousSecretUntil: null,
    },
    secret,
  };
}

const tooMany = (): Failure =>
  new Failure("TRANSACTION_NOT_PERMITTED", {
    message: `An organization has at most ${MAX_ENDPOINTS} webhook endpoints`,
  });

async function checkUrl({ webhooks }: EndpointDeps, url: string): Promise<void> {
  const message = await webhooks.agent.problemOf(url);
  if (message !== undefined) {
    throw new Failure("INVALID_REQUEST", { errors: [{ field: "url", message }] });
  }
}

export function readEndpoints(
  { pool }: EndpointDeps,
  organizationId: string,
  page: Page,
): Promise<Endpoint[]> {
  return listEndpoints(pool, organizationId, page);
}

export async function readEndpoint(
  { pool }: EndpointDeps,
  organizationId: string,
  webhookEndpointId: string,
): Promise<Endpoint> {
  checkId(webhookEndpointId);
  return found(await findEndpoint(pool, organizationId, webhookEndpointId));
}

export async function changeEndpoint(
  deps: EndpointDeps,
  { organizationId, claim }: Caller,
  webhookEndpointId: string,
  change: EndpointChange,
): Promise<Endpoint> {
  checkId(webhookEndpointId);
  if (change.url !== undefined) {
    // Whoever has no such endpoint learns nothing about addresses either.
    await readEndpoint(deps, organizationId, webhookEndpointId);
    await checkUrl(deps, change.url);
  }
  const eventTypes = change.eventTypes && [...new Set(change.eventTypes)];
  const key = { organizationId, webhookEndpointId };
  if (change.status === "Enabled" || eventTypes) await deps.webhooks.relay.caughtUp();
  if (eventTypes) await takeUpInSteps(deps, key);
  const endpoint = await onceInTransaction(
    deps,
    claim,
    async (tx) => {
      if (eventTypes) await takeUpWaiting(tx, key, deps.clock.now());
      if (change.status === "Disabled") await keepForLater(deps, tx, key);
      return found(
        await updateEndpoint(tx, organizationId, webhookEndpointId, { ...change, eventTypes }),
      );
    },
    webhookEndpointId,
  );
  deps.webhooks.look();
  return endpoint;
}

/** What is further behind than that is measured by what the endpoint wants when it comes to it. */
async function takeUpInSteps({ pool, clock }: EndpointDeps, key: EndpointKey): Promise<void> {
  for (let step = 0; step < MAX_STEPS; step++) {
    if (!(await takeUpWaiting(pool, key, clock.now()))) return;
  }
}

async function keepForLater(
  { clock }: EndpointDeps,
  tx: Connection,
  key: EndpointKey,
): Promise<void> {
  const position = await holdEnabled(tx, key);
  if (position === undefined) return;
  await keepWaiting(tx, { ...key, position }, clock.nowMs() + 1);
}

export function removeEndpoint(
  deps: EndpointDeps,
  { organizationId, claim }: Caller,
  webhookEndpointId: string,
): Promise<Endpoint> {
  checkId(webhookEndpointId);
  return onceInTransaction(
    deps,
    claim,
    async (tx) => found(await deleteEndpoint(tx, organizationId, webhookEndpointId)),
    webhookEndpointId,
  );
}

/** Gives an endpoint a new secret. For a day both sign, so that receivers can follow when they like. */
export async function rotateEndpointSecret(
  deps: EndpointDeps,
  { organizationId, claim }: Caller,
  webhookEndpointId: string,
): Promise<EndpointWithSecret> {
  checkId(webhookEndpointId);
  const { clock, vault } = deps;
  const secret = newEndpointSecret();
  const secretSealed = vault.seal(secret, endpointSecretPlace(organizationId, webhookEndpointId));
  const previousUntil = new Date(clock.nowMs() + SECRET_OVERLAP_MS);
  const endpoint = await onceInTransaction(
    deps,
    claim,
    async (tx) =>
      found(
        await replaceEndpointSecret(tx, organizationId, webhookEndpointId, {
          secretSealed,
          previousUntil,
        }),
      ),
    webhookEndpointId,
  );
  return { endpoint, secret };
}

/** Sends again what happened since a moment and was never acknowledged. */
export async function recoverEndpoint(
  deps: EndpointDeps,
  { organizationId, claim }: Caller,
  webhookEndpointId: string,
  since: Date,
): Promise<Endpoint> {
  checkId(webhookEndpointId);
  const range = {
    fromId: firstId("evt", since.getTime()),
    untilId: firstId("evt", deps.clock.nowMs() + 1),
  };
  const endpoint = await onceInTransaction(
    deps,
    claim,
    async (tx) => {
      const started = found(await startRecovery(tx, organizationId, webhookEndpointId, range));
      if (started.status === "Disabled") throw isDisabled();
      return started;
    },
    webhookEndpointId,
  );
  deps.webhooks.look();
  return endpoint;
}

const isDisabled = (): Failure =>
  new Failure("TRANSACTION_NOT_PERMITTED", {
    message: "The webhook endpoint is disabled; enable it first",
  });

function checkId(webhookEndpointId: string): void {
  if (!isId("whe", webhookEndpointId)) throw unknown();
}

function found(endpoint: Endpoint | undefined): Endpoint {
  if (endpoint === undefined) throw unknown();
  return endpoint;
}

const unknown = (): Failure => new Failure("UNABLE_TO_LOCATE_RECORD");
