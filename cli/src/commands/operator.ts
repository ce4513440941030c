import { pathToFileURL } from "node:url";
import type { Command } from "commander";
import { CommandFailure, exitCodes } from "../exit.ts";
import { serverProgram } from "../project.ts";

/** The operator's commands live in the server's program; a test holds this list against it. */
export const operatorCommands: readonly (readonly [
  name: string,
  parameters: string,
  summary: string,
])[] = [
  ["audit", "[--json]", "Prove the books: exit 0 when they hold, 1 when they do not"],
  [
    "org create",
    "<name> [--scopes CardAPIs,CardSecrets] [--json]",
    "Create an organization and print its credentials, once",
  ],
  ["org list", "[--json]", "List the organizations"],
  ["org enable", "<orgId> [--json]", "Let an organization's clients and cards in again"],
  [
    "org disable",
    "<orgId> [--json]",
    "Shut an organization's clients and cards out, within a second",
  ],
  [
    "org customer-managed",
    "<orgId> on|off [--json]",
    "Allow an organization to decide its authorizations itself",
  ],
  [
    "people invite",
    "<orgId> <email> [--role Owner] [--name NAME] [--json]",
    "Print a link with which somebody joins an organization's dashboard",
  ],
  [
    "wallet credit",
    "<orgId> <currency> <amount> --reference R [--json]",
    "Put money that arrived into an organization's wallet, once for each reference",
  ],
  [
    "wallet debit",
    "<orgId> <currency> <amount> --reference R [--json]",
    "Take money that was paid out from an organization's wallet, once for each reference",
  ],
  [
    "credentials rotate",
    "<orgId> [--signing-secret] [--overlap-hours 24] [--json]",
    "Give an organization a new client secret or signing secret; the old one works until the overlap ends",
  ],
  [
    "keys rotate",
    "[--json]",
    "New keys for signing tokens and sealing secrets; live tokens stay good",
  ],
  [
    "clearing import",
    "<FILE> [--csv] [--until YYYY-MM-DD]",
    "Post a clearing file, each line once, and reconcile it with what messages have done",
  ],
  ["migrate", "", "Bring the database to the newest schema"],
  [
    "acquirer",
    "[--script FILE | --seconds N --rate R] [--port P] [--cards FILE]",
    "Play the acquirer: send card network messages to the gateway and check the answers",
  ],
];

/** What does not fit into a line of usage. */
const MORE_HELP: Readonly<Record<string, string>> = {
  acquirer: `  --host HOST, --port PORT  the gateway (FLORIN_HOST, FLORIN_NETWORK_PORT)
  --cards FILE              a card on each line: NUMBER[,YYMM[,CVV]] (a sandbox's active cards)
  --currency CODE           which currency they are in (USD)
  --seconds N, --count N    when it stops (after 10 s)
  --in-flight N             messages under way at once (16)
  --rate R                  messages a second (as fast as they are answered)
  --acquirer N              DE 32 (412345)
  --script FILE             send these steps, a line of JSON each, instead of random traffic
  --tls-ca FILE             speak TLS, and trust the gateway by this certificate
  --tls-cert FILE, --tls-key FILE
                            show it this certificate`,
};

const GROUP_SUMMARIES: Readonly<Record<string, string>> = {
  org: "Create, list, enable and disable organizations",
  people: "Invite people to an organization's dashboard",
  wallet: "Put money into a wallet, or take it out",
  credentials: "Rotate an organization's secrets",
  keys: "Rotate the service's keys",
  clearing: "Post a clearing file",
};

/** Lists the operator's commands with ours, and hands them on with their arguments as they were typed. */
export function addOperator(program: Command, args: string[]): void {
  const groups = new Map<string, Command>();
  for (const [name, parameters, summary] of operatorCommands) {
    const [first = "", second] = name.split(" ");
    const command =
      second === undefined
        ? program.command(first)
        : groupOf(program, groups, first).command(second);
    command
      .summary(summary)
      .description(summary)
      .usage(parameters)
      .allowExcessArguments()
      .allowUnknownOption()
      .configureHelp({ showGlobalOptions: false })
      .addHelpText("after", MORE_HELP[name] ?? "")
      .action(() => handOver(asTyped(args, first)));
  }
}

/** From the command's name on. Options may stand before it; the server's program says which there are. */
function asTyped(args: string[], name: string): string[] {
  const at = args.indexOf(name);
  return [...args.slice(at), ...args.slice(0, at)];
}

function groupOf(program: Command, groups: Map<string, Command>, name: string): Command {
  const known = groups.get(name);
  if (known !== undefined) return known;
  const summary = GROUP_SUMMARIES[name] ?? "";
  const group = program
    .command(name)
    .summary(summary)
    .description(summary)
    .configureHelp({ showGlobalOptions: false });
  groups.set(name, group);
  return group;
}

/** This process becomes the server's program: its output and its exit code are all there is. */
async function handOver(args: string[]): Promise<void> {
  const path = serverProgram("florin");
  if (path === undefined) {
    throw new CommandFailure(
      "The operator's commands need Florin's server beside this command, built: run npm run florin in its checkout.",
      exitCodes.usage,
    );
  }
  process.argv.splice(1, process.argv.length, path, ...args);
  await import(pathToFileURL(path).href);
  // It ends the process itself, when it is done.
  await new Promise<never>(() => undefined);
}
