import { firstId } from "../../src/foundation/ids.ts";
import type { Bench, Tenant } from "../bench.ts";
import type { MeasuredFigure, Sample } from "../figure.ts";
import type { LoadGenerator } from "../load/generator.ts";
import type { LoadResult } from "../load/round.ts";
import type { Child } from "../roles.ts";
import { quantile } from "../statistics.ts";
import { purchaseWith } from "./authorize.ts";

const PER_SECOND = 500;
const DEADLINE_MS = 400;
const CONNECTIONS = 128;
const WARM_UP_SECONDS = 2;

/** What the service has noted of a question to an organization. */
interface Asked {
  organizationId: string;
  durationMs: number;
  timedOut: boolean;
}

export const managedDeadline: MeasuredFigure = {
  name: "managed-deadline",
  title: "customer-managed, 5 % of endpoints hung: |decision - 400 ms|, p99",
  unit: "ms",
  target: { bound: "at most", value: 15, aim: 8 },
  measure: async (bench) => {
    const { settle } = await bench.database();
    const tenants = await bench.decidingTenants();
    await settle();
    const purchases = await preparePurchases(bench, tenants);
    await purchases.run(WARM_UP_SECONDS);
    const startedMs = Date.now();
    const { p99Ms: answerP99Ms } = await purchases.run(bench.seconds);
    const asked = await findAsked(bench, startedMs);
    const hungIds = tenants.hung.map(({ organizationId }) => organizationId);
    return judgeDeadline(
      asked.map(({ organizationId, ...question }) => ({
        ...question,
        isHung: hungIds.includes(organizationId),
      })),
      answerP99Ms,
    );
  },
};

/** Purchases of all organizations alike; those of the hung ones come from a generator of their own. */
async function preparePurchases(
  bench: Bench,
  { hung, prompt }: { hung: Tenant[]; prompt: Tenant[] },
): Promise<{ run(seconds: number): Promise<LoadResult> }> {
  const [generator, second] = [await bench.generator(), await bench.secondGenerator()];
  const share = PER_SECOND / (hung.length + prompt.length);
  await Promise.all([aim(generator, prompt), aim(second, hung)]);
  return {
    /** Gives what came of the hung ones. */
    run: async (seconds) => {
      const [, result] = await Promise.all([
        generator.call("run", { seconds, perSecond: share * prompt.length }),
        second.call("run", { seconds, perSecond: share * hung.length }),
      ]);
      return result;
    },
  };
}

async function aim(generator: Child<LoadGenerator>, tenants: Tenant[]): Promise<void> {
  const orders = await Promise.all(
    tenants.map(({ client, cards }) => client.prepare(cards.map(purchaseWith))),
  );
  await generator.call("aim", orders.flat(), CONNECTIONS);
}

async function findAsked(bench: Bench, sinceMs: number): Promise<Asked[]> {
  const pool = await bench.pool();
  const { rows } = await pool.query<Asked>(
    `select organization_id as "organizationId", (decision #>> '{remote,durationMs}')::float8 as "durationMs",
            (decision #>> '{remote,timedOut}')::bool as "timedOut"
       from transactions where transaction_id >= $1 and decision -> 'remote' is not null`,
    [firstId("txn", sinceMs)],
  );
  return rows;
}

/** How far from 400 ms decisions fell, and whether any fell that should not have. */
export function judgeDeadline(
  asked: { durationMs: number; timedOut: boolean; isHung: boolean }[],
  answerP99Ms: number,
): Sample {
  const late = asked.filter(({ timedOut }) => timedOut);
  const distancesMs = late
    .filter(({ isHung }) => isHung)
    .map(({ durationMs }) => Math.abs(durationMs - DEADLINE_MS))
    .sort((a, b) => a - b);
  const falseTimeOutsCount = late.filter(({ isHung }) => !isHung).length;
  return {
    value: quantile(distancesMs, 0.99),
    details: {
      p50Ms: quantile(distancesMs, 0.5),
      answerP99Ms,
      askedCount: asked.length,
      timeOutsCount: late.length,
      falseTimeOutsCount,
    },
    ...(falseTimeOutsCount === 0
      ? {}
      : { violation: `${falseTimeOutsCount} endpoints that answered were taken for late` }),
  };
}
