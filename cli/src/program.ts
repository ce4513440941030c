import { readFileSync } from "node:fs";
import { Command } from "commander";
import { addCards } from "./commands/cards.ts";
import { addCertify } from "./commands/certify.ts";
import { addCompletion } from "./commands/completion.ts";
import { addDoctor } from "./commands/doctor.ts";
import { addEvents } from "./commands/events.ts";
import { addFirstCard } from "./commands/first-card.ts";
import { addHelp } from "./commands/help.ts";
import { addListen } from "./commands/listen.ts";
import { addOperator } from "./commands/operator.ts";
import { addRequest } from "./commands/request.ts";
import { addSign } from "./commands/sign.ts";
import { addSimulate } from "./commands/simulate.ts";
import { addStart } from "./commands/start.ts";
import { addTransactions } from "./commands/transactions.ts";
import { addTrigger } from "./commands/trigger.ts";
import { addWallets } from "./commands/wallets.ts";
import { addWhoami } from "./commands/whoami.ts";
import { florinCommand, packageFile } from "./project.ts";

const GROUPS: readonly (readonly [string, readonly ((program: Command) => void)[]])[] = [
  ["Cards and money:", [addCards, addTransactions, addWallets]],
  ["Playing the card network in a sandbox:", [addFirstCard, addSimulate, addTrigger]],
  ["Events:", [addListen, addEvents]],
  ["Building a client:", [addWhoami, addRequest, addSign, addDoctor, addCertify, addCompletion]],
];

/** Every command there is; the operator's are handed to the server's own program, as they were typed. */
export function createProgram(args: string[]): Command {
  const program = new Command("florin")
    .description("Florin: card-issuing infrastructure. Runs the service, and talks to it.")
    .usage("<command> [options]")
    .version(versionOf(packageFile("package.json")), "--version", "print which version this is")
    .option("--json", "print exactly the service's data, for programs")
    .option("--profile <file>", "credentials and addresses, in the form of sandbox.json")
    .exitOverride()
    .showHelpAfterError(`(see "${florinCommand} <command> --help")`)
    .configureHelp({ showGlobalOptions: true, minWidthToWrap: 100, subcommandTerm: termOf })
    .configureOutput({ getOutHelpWidth: helpWidth, getErrHelpWidth: helpWidth })
    .helpCommand("help [command]", "Show what a command takes")
    .addHelpText("after", AFTERWORD);
  for (const [group, adders] of GROUPS) {
    program.commandsGroup(group);
    for (const add of adders) add(program);
  }
  program.commandsGroup("Running Florin (needs its database and keys):");
  addStart(program);
  addOperator(program, args);
  program.commandsGroup("Other:");
  addHelp(program);
  return program;
}

const versionOf = (file: string): string =>
  (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;

const helpWidth = (): number => Math.max(100, process.stdout.columns ?? 0);

/** A command with what it must be given; that there are options goes without saying. */
function termOf(command: Command): string {
  const names = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [command.name(), ...names].join(" ");
}

const AFTERWORD = `
Credentials come from --profile, else from FLORIN_CLIENT_ID, FLORIN_CLIENT_SECRET, FLORIN_UNIQUE_KEY, FLORIN_API_URL
and FLORIN_IDENTITY_URL, else from $FLORIN_DATA_DIR/sandbox.json (by default .florin/sandbox.json).
Exit codes: 0 done, 1 refused or does not hold, 2 typed wrongly, 3 the service cannot be reached.`;
