import { createLog, type Log } from "./foundation/log.ts";
import { startService } from "./service.ts";
import { readSetup } from "./setup.ts";
import { announce, explainStartError } from "./welcome.ts";

/** Every part of a stop has its own limit; this is for all of them together, should one not keep to it. */
const STOP_PATIENCE_MS = 30_000;
const LAST_LINES_MS = 2_000;

/** Starts Florin and stops it on SIGTERM or SIGINT: in-flight work first, the database last. */
async function main(): Promise<void> {
  const setup = await readSetup(process.env);
  const log = createLog({ level: setup.config.logLevel });
  // Listens before anything is started: a signal that comes meanwhile must not leave a database behind.
  const signal = firstSignal();

  const service = await startService(setup, log);
  announce(setup.config, service, log);

  log.info({ signal: await signal }, "stopping");
  setTimeout(() => {
    log.fatal("the stop took too long; requests still under way get no answer");
    end(log, 1);
  }, STOP_PATIENCE_MS).unref();
  await service.stop();
  end(log, 0);
}

/** Ends the process when the last lines of the log are written, or soon, where nobody takes them. */
function end(log: Log, exitCode: number): void {
  // A write that the system keeps waiting, as for a pipe that nobody reads, would keep an exit waiting as well.
  setTimeout(() => process.kill(process.pid, "SIGKILL"), LAST_LINES_MS);
  log.flush(() => process.exit(exitCode));
}

/** A terminal's Ctrl-C reaches npm and us; what arrives twice is meant once. */
function firstSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.on("SIGTERM", resolve);
    process.on("SIGINT", resolve);
  });
}

/** The service takes no arguments: says so, and gives the exit code. */
function answerArgument(argument: string): number {
  const what = "takes no arguments: its environment configures it, see docs/configuration.md";
  if (argument === "--help" || argument === "-h") {
    process.stdout.write(`Starts Florin, which ${what}.\n`);
    return 0;
  }
  // What follows the name may be a secret.
  const [name] = argument.split("=");
  process.stderr.write(`Florin did not start. It was given ${name}, but ${what}.\n`);
  return 2;
}

const [argument] = process.argv.slice(2);
if (argument !== undefined) process.exit(answerArgument(argument));

main().catch((error: unknown) => {
  process.stderr.write(`${explainStartError(error)}\n`);
  process.exit(1);
});
