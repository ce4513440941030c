import type { FastifyInstance } from "fastify";
import { type Core, openCore } from "./core.ts";
import type { Tell } from "./db/embedded/site.ts";
import { FEED_NAME } from "./db/shared-state.ts";
import type { Config } from "./foundation/config/table.ts";
import type { Log } from "./foundation/log.ts";
import { type Addresses, publicAddress } from "./http/addresses.ts";
import { closeListener, listen } from "./http/listener.ts";
import { writeCredentialsFile } from "./sandbox/credentials-file.ts";
import { seedSandbox } from "./sandbox/seed.ts";
import type { Setup } from "./setup.ts";
import { type Parts, wire } from "./wiring.ts";
import { startWork } from "./work.ts";

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
        log.error({ err: error }, "a part of the service did not stop cleanly"),
      );
    }
  };
  try {
    let accepting = false;
    warnOfPlay(setup, log);
    const tell: Tell = (line, level = "info") => log[level](line);
    const core = await openCore(config, tell, undefined, FEED_NAME);
    stops.push(core.close);
    const parts = await wire(core, setup, log, () => accepting);
    stops.push(async () => {
      await Promise.all([parts.requestLog.stop(), parts.postOffice.close()]);
      await Promise.all([parts.engine.stop(), parts.recorder.stop(), parts.reads.stop()]);
      await parts.exporter?.stop();
    });
    const schedule = config.roles.includes("worker")
      ? startWork(core, parts, config, log)
      : undefined;
    if (schedule === undefined) parts.webhooks.standBy();
    stops.push(async () => {
      // Together: the schedule waits for its jobs, and one of them goes on until the expiry is told to end.
      await Promise.all([schedule?.stop(), parts.holdExpiry.stop()]);
    });
    stops.push(() => parts.reviews.stop());
    stops.push(() => parts.webhooks.stop());
    stops.push(() => parts.customerManaged.stop());

    await openListeners(parts, config, stops);
    parts.live.start();
    stops.push(() => parts.live.stop());
    const isOurSandbox = config.isSandbox && config.roles.includes("api");
    const credentialsFile = isOurSandbox ? await openSandbox(core, parts, config) : undefined;
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

/** The built-in programmes must not stop a start, but nobody should notice them only by a card's number. */
function warnOfPlay({ config, programmes }: Setup, log: Log): void {
  if (config.isSandbox || config.programmesFile !== undefined) return;
  log.warn(
    { bins: programmes.map(({ bin }) => bin) },
    "FLORIN_PROGRAMMES_FILE is not set: the built-in programmes are used, whose BINs are those of test cards",
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
  // The address of another process's listener is needed all the same.
  const open = (app: FastifyInstance, name: "identity" | "dashboard"): string | Promise<string> =>
    config.roles.includes(name)
      ? listen(app, config, name)
      : publicAddress(config, name, config[`${name}Port`]);
  addresses.api = await listen(api, config, "api");
  addresses.identity = await open(identity, "identity");
  addresses.dashboard = await open(dashboard, "dashboard");
  const network = config.roles.includes("network") ? await gateway.start() : undefined;
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
