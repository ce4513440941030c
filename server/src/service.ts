import { type Core, openCore } from "./core.ts";
import { forgetEnded } from "./dashboard/forget.ts";
import { forgetRequests } from "./dashboard/requests/store.ts";
import { refreshStatistics } from "./db/statistics.ts";
import type { Config } from "./foundation/config.ts";
import type { Log } from "./foundation/log.ts";
import type { Addresses } from "./http/addresses.ts";
import { closeListener, listen } from "./http/listener.ts";
import { Schedule } from "./jobs/schedule.ts";
import { turnGenerations } from "./references/generations.ts";
import { writeCredentialsFile } from "./sandbox/credentials-file.ts";
import { seedSandbox } from "./sandbox/seed.ts";
import type { Setup } from "./setup.ts";
import { forgetUnapplied } from "./transactions/unapplied.ts";
import { type Parts, wire } from "./wiring.ts";

const GENERATION_CHECK_MS = 60_000;
const STATISTICS_MS = 2_000;
const NEGATIVE_ACCOUNTS_MS = 60_000;
const HOLD_EXPIRY_MS = 30_000;
const ABANDONED_QUESTIONS_MS = 5_000;
const UNAPPLIED_MESSAGES_MS = 60_000;
const REQUEST_LOG_MS = 60_000;
const SESSIONS_MS = 3_600_000;

export interface Service {
  addresses: Addresses;
  /** Where a sandbox has written its credentials. */
  credentialsFile?: string;
  /** Stops accepting, finishes what is in flight, and stops the database last. */
  stop(): Promise<void>;
}

export async function startService(setup: Setup, log: Log): Promise<Service> {
  const { config } = setup;
  const stops: (() => Promise<void>)[] = [];
  /** In the reverse order of the start, each whatever became of the others. */
  const stop = async (): Promise<void> => {
    for (const step of stops.splice(0).reverse()) {
      await step().catch((error: unknown) =>
        log.error({ err: error }, "a part did not stop cleanly"),
      );
    }
  };
  try {
    let accepting = false;
    warnOfPlay(setup, log);
    const core = await openCore(config, (line) => log.info(line));
    stops.push(core.close);
    const parts = await wire(core, setup, log, () => accepting);
    stops.push(async () => {
      await Promise.all([parts.requestLog.stop(), parts.postOffice.close()]);
      await Promise.all([parts.engine.stop(), parts.recorder.stop(), parts.reads.stop()]);
      await parts.exporter?.stop();
    });
    const schedule = startJobs(core, parts, config, log);
    stops.push(async () => {
      await Promise.all([schedule.stop(), parts.holdExpiry.stop()]);
    });
    parts.reviews.start();
    stops.push(() => parts.reviews.stop());
    parts.webhooks.start();
    stops.push(() => parts.webhooks.stop());
    parts.customerManaged.start();
    stops.push(() => parts.customerManaged.stop());

    await openListeners(parts, config, stops);
    parts.live.start();
    stops.push(() => parts.live.stop());
    const credentialsFile = config.isSandbox ? await openSandbox(core, parts, config) : undefined;
    accepting = true;
    stops.push(async () => {
      accepting = false;
    });
    const { addresses } = parts;
    return { addresses, stop, ...(credentialsFile === undefined ? {} : { credentialsFile }) };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A start must not fail for it, but nobody should learn of it from a card. */
function warnOfPlay({ config, programmes }: Setup, log: Log): void {
  if (config.isSandbox || config.programmesFile !== undefined) return;
  log.warn(
    { bins: programmes.map(({ bin }) => bin) },
    "FLORIN_PROGRAMMES_FILE is not set: the built-in programmes are used, whose BINs are nobody's",
  );
}

async function openListeners(
  parts: Parts,
  config: Config,
  stops: (() => Promise<void>)[],
): Promise<void> {
  const { api, identity, dashboard, gateway, addresses } = parts;
  stops.push(async () => {
    const listeners = [api, identity, dashboard];
    await Promise.all([...listeners.map(closeListener), gateway.stop()]);
  });
  addresses.api = await listen(api, config, "api");
  addresses.identity = await listen(identity, config, "identity");
  addresses.dashboard = await listen(dashboard, config, "dashboard");
  const network = await gateway.start();
  if (network !== undefined) addresses.network = network;
}

async function openSandbox(
  core: Core,
  { engine, reads, walletIds, addresses }: Parts,
  config: Config,
): Promise<string> {
  const credentials = await seedSandbox({ ...core, engine, reads, walletIds });
  return writeCredentialsFile(config.dataDir, addresses, credentials);
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
    run: () => customerManaged.withdrawAbandoned(),
  });
  schedule.add({
    name: "unapplied-messages",
    everyMs: UNAPPLIED_MESSAGES_MS,
    run: () => forgetUnapplied(pool, clock.now()),
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
  // A balance may have become overdue by it.
  feed.on("clockOffsetMs", () => schedule.wake("negative-accounts"));
  feed.on("clockOffsetMs", () => {
    holdExpiry
      .catchUp()
      .catch((error: unknown) => log.warn({ err: error }, "holds could not be expired yet"));
  });
  return schedule;
}
