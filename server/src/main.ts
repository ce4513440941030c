import { readConfig } from "./foundation/config.ts";
import { createLog } from "./foundation/log.ts";
import { startService } from "./service.ts";
import { explainStartError, welcome } from "./welcome.ts";

/** Starts Florin and stops it on SIGTERM or SIGINT: in-flight work first, the database last. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog({ level: config.logLevel });
  // Listens before anything is started: a signal that comes meanwhile must not leave a database behind.
  const signal = firstSignal();

  const service = await startService(config, log);
  process.stdout.write(welcome(config, service));

  log.info({ signal: await signal }, "stopping");
  await service.stop();
  // The last lines are still on their way to standard output.
  log.flush(() => process.exit(0));
}

/** A terminal's Ctrl-C reaches npm and us; what arrives twice is meant once. */
function firstSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.on("SIGTERM", resolve);
    process.on("SIGINT", resolve);
  });
}

main().catch((error: unknown) => {
  process.stderr.write(`${explainStartError(error)}\n`);
  process.exit(1);
});
