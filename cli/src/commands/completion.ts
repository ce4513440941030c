import type { Command } from "commander";
import { usageFailure } from "../exit.ts";
import { run } from "./action.ts";

/** Words that may follow, for each command as it is typed: `cards` → `issue list …`. */
type Words = ReadonlyMap<string, readonly string[]>;

const SCRIPTS: Readonly<Record<string, (words: Words) => string>> = { bash, zsh, fish };

export function addCompletion(program: Command): void {
  const command = program
    .command("completion")
    .argument("<shell>", "bash, zsh or fish")
    .description("Print a script that completes commands and options in your shell")
    .addHelpText(
      "after",
      '\nbash, zsh: eval "$(florin completion bash)"\nfish:      florin completion fish | source',
    );
  run(command, async ({ terminal }, [shell = ""]) => {
    const script = SCRIPTS[shell];
    if (script === undefined)
      throw usageFailure(`${shell} is not a shell that is known: bash, zsh or fish.`);
    terminal.print(script(wordsOf(program)));
  });
}

export function wordsOf(command: Command, path = ""): Map<string, readonly string[]> {
  const options = command.options.filter(({ hidden }) => !hidden).map(({ long }) => long ?? "");
  // What the operator's commands take stands in their usage alone, and they take nothing else.
  const isOperators = command.configureHelp().showGlobalOptions === false;
  const told = isOperators ? (command.usage().match(/--[\w-]+/g) ?? []) : ["--json", "--profile"];
  const names = command.commands.map((child) => child.name());
  const words = new Map<string, readonly string[]>([
    [path, [...names, ...options, ...told, "--help"]],
  ]);
  for (const child of command.commands) {
    const below = wordsOf(child, `${path} ${child.name()}`.trim());
    for (const [key, value] of below) words.set(key, value);
  }
  return words;
}

const quoted = (words: readonly string[]): string => [...new Set(words)].join(" ");

function cases(words: Words): string {
  return [...words].map(([path, list]) => `    "${path}") words="${quoted(list)}" ;;`).join("\n");
}

/** The longest known command that has been typed so far, then its words; files where there are none. */
function bash(words: Words): string {
  return `_florin() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" words="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) path="\${path:+$path }$word" ;; esac
  done
  while :; do
    _florin_words "$path" && break
    case "$path" in *" "*) path="\${path% *}" ;; *) path="" ;; esac
  done
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
_florin_words() {
  case "$1" in
${cases(words)}
    *) return 1 ;;
  esac
}
complete -o default -F _florin florin`;
}

function zsh(words: Words): string {
  return `autoload -U +X bashcompinit && bashcompinit
${bash(words)}`;
}

function fish(words: Words): string {
  const lines = [...words].map(([path, list]) => {
    const condition =
      path === ""
        ? "__fish_use_subcommand"
        : path
            .split(" ")
            .map((word) => `__fish_seen_subcommand_from ${word}`)
            .join("; and ");
    return `complete -c florin -n "${condition}" -a "${quoted(list)}"`;
  });
  return ["complete -c florin -f", ...lines].join("\n");
}
