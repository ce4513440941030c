import { styleText } from "node:util";

export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** Where a command speaks: results go to standard output, everything said on the way to standard error. */
export interface Terminal {
  print(line: string): void;
  /** For people only: progress, hints, errors. */
  say(line: string): void;
  style(style: Style, text: string): string;
  /** Whether a person watches, so that something may move or ask. */
  readonly isInteractive: boolean;
}

export function processTerminal(): Terminal {
  const isColoured = wantsColour(process.env, process.stdout.isTTY === true);
  return {
    print: (line) => process.stdout.write(`${line}\n`),
    say: (line) => process.stderr.write(`${line}\n`),
    style: (style, text) => (isColoured ? styleText(style, text) : text),
    isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true,
  };
}

/** By the conventions of no-color.org and of FORCE_COLOR, else by whether a person reads it. */
export function wantsColour(env: NodeJS.ProcessEnv, isTty: boolean): boolean {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== "") return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "0") return true;
  return isTty && env.TERM !== "dumb";
}
