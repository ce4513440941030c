import { forgetGivenUp } from "./authorization/remote/advice-store.ts";
import type { Core } from "./core.ts";
import { forgetEnded } from "./dashboard/forget.ts";
import { forgetRequests } from "./dashboard/requests/store.ts";
import { refreshStatistics } from "./db/statistics.ts";
import type { Config } from "./foundation/config-table.ts";
import type { Log } from "./foundation/log.ts";
import { Schedule } from "./jobs/schedule.ts";
import { turnGenerations } from "./references/generations.ts";
import { forgetUnapplied } from "./transactions/unapplied-table.ts";
import { hastenStrays } from "./webhooks/delivery/sweep.ts";
import type { Parts } from "./wiring.ts";

const GENERATION_CHECK_MS = 60_000;
const STATISTICS_MS = 2_000;
const NEGATIVE_ACCOUNTS_MS = 60_000;
const HOLD_EXPIRY_MS = 30_000;
const ABANDONED_QUESTIONS_MS = 5_000;
const UNAPPLIED_MESSAGES_MS = 60_000;
const GIVEN_UP_ADVICES_MS = 3_600_000;
const STRAY_DELIVERIES_MS = 60_000;
const REQUEST_LOG_MS = 60_000;
const SESSIONS_MS = 3_600_000;

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

function startJobs({ pool, clock, feed }: Core, parts: Parts, config: Config, log: Log): Schedule {
  const { negativeAccounts, holdExpiry, customerManaged } = parts;
  const schedule = new Schedule(log);
  schedule.add({
    name: "reference-generations",
    everyMs: GENERATION_CHECK_MS,
    run: () => turnGenerations(pool, clock),
  });
  schedule.add({
    name: "statistics",
    everyMs: STATISTICS_MS,
    run: async () => {
      await refreshStatistics(pool);
    },
  });
  schedule.add({
    name: "negative-accounts",
    everyMs: NEGATIVE_ACCOUNTS_MS,
    run: () => negativeAccounts.step(),
  });
  schedule.add({
    name: "hold-expiry",
    everyMs: HOLD_EXPIRY_MS,
    run: () => holdExpiry.catchUp(),
  });
  schedule.add({
    name: "abandoned-questions",
    everyMs: ABANDONED_QUESTIONS_MS,
    run: () => customerManaged.closeAbandonedQuestions(),
  });
  schedule.add({
    name: "unapplied-messages",
    everyMs: UNAPPLIED_MESSAGES_MS,
    run: () => forgetUnapplied(pool, clock.now()),
  });
  schedule.add({
    name: "given-up-advices",
    everyMs: GIVEN_UP_ADVICES_MS,
    run: () => forgetGivenUp(pool, clock.now()),
  });
  schedule.add({
    name: "stray-deliveries",
    everyMs: STRAY_DELIVERIES_MS,
    run: () => hastenStrays(pool, clock.now()),
  });
  schedule.add({
    name: "request-log",
    everyMs: REQUEST_LOG_MS,
    run: () => forgetRequests(pool, Date.now()),
  });
  schedule.add({
    name: "sessions-and-links",
    everyMs: SESSIONS_MS,
    run: () => forgetEnded(pool, config),
  });
  // When the clock moves, a balance may have become overdue.
  feed.on("clockOffsetMs", () => schedule.wake("negative-accounts"));
  feed.on("clockOffsetMs", () => {
    holdExpiry
      .catchUp()
      .catch((error: unknown) => log.warn({ err: error }, "holds could not be expired yet"));
  });
  return schedule;
}
