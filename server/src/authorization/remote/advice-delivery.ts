import type { Pool } from "../../db/pool.ts";
import type { Clock } from "../../foundation/clock.ts";
import { DAY_MS } from "../../foundation/dates.ts";
import type { Log } from "../../foundation/log.ts";
import type { DueWork } from "../../jobs/due-loop.ts";
import type { GuardedAgent } from "../../outbound/agent.ts";
import { isAcknowledged, type Outcome } from "../../outbound/outcome.ts";
import { readRetryAfterMs, retryDelayMs } from "../../webhooks/delivery/schedule.ts";
import type { SettingsBook } from "../settings/settings-book.ts";
import {
  type AdviceTurn,
  endTurn,
  firstAdvice,
  nextTurnInMs,
  postponeTurn,
  takeTurns,
  type WaitingAdvice,
} from "./advice-store.ts";
import { signed } from "./signed.ts";

export interface AdviceDeps {
  pool: Pool;
  clock: Clock;
  agent: GuardedAgent;
  settings: SettingsBook;
  log: Log;
}

const MAX_AT_ONCE = 32;
/** So that one organization that is slow delays nobody else. */
const MAX_PER_ORGANIZATION = 8;
const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 16 * 1024;
const GIVE_UP_MS = 5 * DAY_MS;
/** From this step on, retries keep the longest delay. */
const MAX_STEP = 7;

/**
 * Posts what became of payments to the organizations that decided them: at least once, and for each
 * card in the order in which it happened.
 */
export function adviceDelivery(deps: AdviceDeps): DueWork<AdviceTurn> {
  const { pool, clock } = deps;
  const running = new Map<string, number>();
  const count = (organizationId: string, change: number): void => {
    const left = (running.get(organizationId) ?? 0) + change;
    if (left === 0) running.delete(organizationId);
    else running.set(organizationId, left);
  };
  const busy = (): string[] =>
    [...running].filter(([, n]) => n >= MAX_PER_ORGANIZATION).map(([id]) => id);
  return {
    name: "authorization-advices",
    maxAtOnce: MAX_AT_ONCE,
    take: async (limit) => {
      const fairness = { running, perOrganization: MAX_PER_ORGANIZATION };
      const turns = await takeTurns(pool, clock.now(), limit, fairness);
      for (const { organizationId } of turns) count(organizationId, 1);
      return turns;
    },
    nextInMs: () => nextTurnInMs(pool, clock.now(), busy()),
    run: (turn, signal) =>
      deliverFirst(deps, turn, signal).finally(() => count(turn.organizationId, -1)),
  };
}

async function deliverFirst(
  deps: AdviceDeps,
  turn: AdviceTurn,
  signal: AbortSignal,
): Promise<void> {
  const { pool, clock } = deps;
  if (signal.aborted) return postponeTurn(pool, turn);
  const advice = await firstAdvice(pool, turn);
  if (advice === undefined) return endTurn(pool, turn, undefined, clock.now());
  const outcome = await send(deps, turn, advice);
  if (outcome !== undefined && isAcknowledged(outcome)) {
    return endTurn(pool, turn, { requestId: advice.requestId, isGivenUp: false }, clock.now());
  }
  if (outcome?.isAnswer === false && outcome.reason === "Stopped") return postponeTurn(pool, turn);
  return postponeOrGiveUp(deps, turn, advice, outcome);
}

/** Sends nothing, and gives undefined, where the organization has no address any more. */
async function send(
  { settings, agent }: AdviceDeps,
  { organizationId }: AdviceTurn,
  { message }: WaitingAdvice,
): Promise<Outcome | undefined> {
  const { advised } = await settings.find(organizationId);
  if (advised === undefined) return undefined;
  return agent.post(advised.url, {
    ...signed(advised.signer, message),
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: MAX_ANSWER_BYTES,
    pool: organizationId,
  });
}

async function postponeOrGiveUp(
  { pool, clock, log }: AdviceDeps,
  turn: AdviceTurn,
  { requestId, createdAt }: WaitingAdvice,
  outcome: Outcome | undefined,
): Promise<void> {
  const now = clock.now();
  const { organizationId } = turn;
  if (now.getTime() - createdAt.getTime() >= GIVE_UP_MS) {
    log.warn({ organizationId, requestId }, "an authorization advice was given up after five days");
    return endTurn(pool, turn, { requestId, isGivenUp: true }, now);
  }
  const attempts = turn.attempts + 1;
  const wantedMs = outcome?.isAnswer ? readRetryAfterMs(outcome.retryAfter, Date.now()) : undefined;
  const delayMs = retryDelayMs(Math.min(attempts, MAX_STEP), Math.random(), wantedMs) ?? 0;
  await postponeTurn(pool, { ...turn, attempts }, new Date(now.getTime() + delayMs));
}
