import { forgetGivenUp } from "./authorization/remote/advice-store.ts";
import type { Core } from "./core.ts";
import { forgetEnded } from "./dashboard/forget.ts";
import { forgetRequests } from "./dashboard/requests/store.ts";
import { refreshStatistics } from "./db/statistics.ts";
import type { Config } from "./foundation/config/table.ts";
import type { Log } from "./foundation/log.ts";
import { Schedule, type ScheduledJob } from "./jobs/schedule.ts";
import { turnGenerations } from "./references/generations.ts";
import { forgetUnapplied } from "./transactions/unapplied-table.ts";
import { hastenStrays } from "./webhooks/delivery/sweep.ts";
import type { Parts } from "./wiring.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Starts all that happens in the background. Several processes may do it: they share the work. Gives the
 * jobs that are to be stopped; the rest stops with its part.
 */
export function startWork(core: Core, parts: Parts, config: Config, log: Log): Schedule {
  parts.reviews.start();
  parts.webhooks.start();
  parts.customerManaged.start();
  return startJobs(core, parts, config, log);
}

function startJobs(core: Core, parts: Parts, config: Config, log: Log): Schedule {
  const { holdExpiry } = parts;
  const schedule = new Schedule(log);
  for (const job of jobsOf(core, parts, config)) schedule.add(job);
  // When the clock moves, a balance may have become overdue.
  core.feed.on("clockOffsetMs", () => schedule.wake("negative-accounts"));
  core.feed.on("clockOffsetMs", () => {
    holdExpiry
      .catchUp()
      .catch((error: unknown) => log.warn({ err: error }, "holds could not be expired yet"));
  });
  return schedule;
}

function jobsOf({ pool, clock }: Core, parts: Parts, config: Config): ScheduledJob[] {
  const { negativeAccounts, holdExpiry, customerManaged } = parts;
  const job = (name: string, everyMs: number, run: () => Promise<unknown>): ScheduledJob => ({
    name,
    everyMs,
    run,
  });
  return [
    job("reference-generations", MINUTE_MS, () => turnGenerations(pool, clock)),
    job("statistics", 2 * SECOND_MS, () => refreshStatistics(pool)),
    job("negative-accounts", MINUTE_MS, () => negativeAccounts.step()),
    job("hold-expiry", 30 * SECOND_MS, () => holdExpiry.catchUp()),
    job("abandoned-questions", 5 * SECOND_MS, () => customerManaged.closeAbandonedQuestions()),
    job("unapplied-messages", MINUTE_MS, () => forgetUnapplied(pool, clock.now())),
    job("given-up-advices", HOUR_MS, () => forgetGivenUp(pool, clock.now())),
    job("stray-deliveries", MINUTE_MS, () => hastenStrays(pool, clock.now())),
    job("request-log", MINUTE_MS, () => forgetRequests(pool, Date.now())),
    job("sessions-and-links", HOUR_MS, () => forgetEnded(pool, config)),
  ];
}
