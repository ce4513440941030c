import { readConfig } from "./foundation/config.ts";
import { createLog } from "./foundation/log.ts";
import { startService } from "./service.ts";
import { explainStartError, welcome } from "./welcome.ts";

/** Starts Florin and stops it on SIGTERM or SIGINT: in-flight work first, the database last. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog({ level: config.logLevel });
  const service = await startService(config, log);
  process.stdout.write(welcome(config, service));

  /** The last lines are still on their way to standard output. */
  const leave = (code: number): void => log.flush(() => process.exit(code));

  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    // A terminal's Ctrl-C reaches npm and us; what arrives twice is meant once.
    if (stopping) return;
    stopping = true;
    log.info({ signal }, "stopping");
    service.stop().then(
      () => leave(0),
      (error: unknown) => {
        log.fatal({ err: error }, "the stop failed");
        leave(1);
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

main().catch((error: unknown) => {
  process.stderr.write(`${explainStartError(error)}\n`);
  process.exit(1);
});
