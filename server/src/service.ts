import { type Core, openCore } from "./core.ts";
import type { Config } from "./foundation/config.ts";
import type { Log } from "./foundation/log.ts";
import type { Addresses } from "./http/addresses.ts";
import { closeListener, listen, StartError } from "./http/listener.ts";
import { Schedule } from "./jobs/schedule.ts";
import { turnGenerations } from "./references/generations.ts";
import { writeCredentialsFile } from "./sandbox/credentials-file.ts";
import { seedSandbox } from "./sandbox/seed.ts";
import { type Parts, wire } from "./wiring.ts";

const GENERATION_CHECK_MS = 60_000;

export interface Service {
  addresses: Addresses;
  /** Where a sandbox has written its credentials. */
  credentialsFile?: string;
  /** Stops accepting, finishes what is in flight, and stops the database last. */
  stop(): Promise<void>;
}

export async function startService(config: Config, log: Log): Promise<Service> {
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
    const core = await openCore(config, (line) => log.info(line));
    stops.push(core.close);
    if (!config.isSandbox) await refuseSandboxDatabase(core);
    const parts = await wire(core, config, log, () => accepting);
    stops.push(async () => {
      await Promise.all([parts.engine.stop(), parts.recorder.stop(), parts.reads.stop()]);
      await parts.exporter?.stop();
    });
    const schedule = startJobs(core, log);
    stops.push(() => schedule.stop());

    await openListeners(parts, config, stops);
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

/** Play money, its well-known owner and a moved clock have no place in production. */
async function refuseSandboxDatabase({ pool }: Core): Promise<void> {
  const { rows } = await pool.query<{ isSandbox: boolean }>(
    `select clock_offset_ms > 0 or exists (select from organizations where sandbox_seed_sealed is not null)
            as "isSandbox" from shared_state`,
  );
  if (rows[0]?.isSandbox === true) {
    throw new StartError("The database belongs to a sandbox: production needs one of its own.");
  }
}

async function openListeners(
  parts: Parts,
  config: Config,
  stops: (() => Promise<void>)[],
): Promise<void> {
  const { api, identity, addresses } = parts;
  stops.push(async () => {
    await Promise.all([closeListener(api), closeListener(identity)]);
  });
  addresses.api = await listen(api, config, "api");
  addresses.identity = await listen(identity, config, "identity");
  addresses.dashboard = config.dashboardUrl ?? `http://${config.host}:${config.dashboardPort}`;
}

async function openSandbox(
  core: Core,
  { engine, reads, walletIds, addresses }: Parts,
  config: Config,
): Promise<string> {
  const credentials = await seedSandbox({ ...core, engine, reads, walletIds });
  return writeCredentialsFile(config.dataDir, addresses, credentials);
}

function startJobs({ pool, clock }: Core, log: Log): Schedule {
  const schedule = new Schedule(log);
  schedule.add({
    name: "reference-generations",
    everyMs: GENERATION_CHECK_MS,
    run: () => turnGenerations(pool, clock),
  });
  return schedule;
}
