import type { Command } from "commander";
import { usageFailure } from "../exit.ts";
import { florinCommand } from "../project.ts";
import { nearest } from "../terminal/nearest.ts";
import { run } from "./action.ts";

/** In the place of commander's own, which knows commands of one word only. */
export function addHelp(program: Command): void {
  const command = program
    .helpCommand(false)
    .command("help")
    .argument("[command...]", "such as cards issue")
    .description("Show what a command takes");
  run(command, async (_session, words) => {
    commandOf(program, words).outputHelp();
  });
}

function commandOf(program: Command, words: readonly string[]): Command {
  let found = program;
  for (const [index, word] of words.entries()) {
    const names = found.commands.map((command) => command.name());
    const next = found.commands.find((command) => command.name() === word);
    if (next === undefined) {
      const typed = words.slice(0, index + 1).join(" ");
      const near = nearest(word, names);
      const hint =
        near === undefined ? `"${florinCommand} --help" lists them.` : `Did you mean ${near}?`;
      throw usageFailure(`There is no command ${typed}. ${hint}`);
    }
    found = next;
  }
  return found;
}
