import { ConfigError, readOperatorConfig } from "./foundation/config/config.ts";
import { CommandError } from "./operator/command.ts";
import { commands, findCommand, usage } from "./operator/commands.ts";
import { explainStartError } from "./welcome.ts";

/** The `florin` command: `florin <command> [arguments]`. Exits 0, or 1 when something does not hold. */
async function main(args: string[]): Promise<number> {
  const found = findCommand(args);
  if (found === undefined) {
    const asked = args.length === 0 || ["help", "--help", "-h"].includes(args[0] ?? "");
    process[asked ? "stdout" : "stderr"].write(usage(commands));
    return asked ? 0 : 2;
  }
  const config = readOperatorConfig(process.env);
  return found.command.run({
    config,
    args: found.rest,
    print: (line) => process.stdout.write(`${line}\n`),
  });
}

// Whoever reads our output may have seen enough, but a command that changes something goes on to its end, and its
// exit code tells how it went.
process.stdout.removeAllListeners("error").on("error", () => undefined);

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    const known = error instanceof CommandError || error instanceof ConfigError;
    const explained = known ? error.message : explainStartError(error, "The command failed");
    process.stderr.write(`${explained}\n`);
    process.exit(2);
  },
);
