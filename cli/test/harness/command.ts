import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type Program, projectRoot, start } from "../../../server/test/harness/process.ts";

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

const bundle = join(projectRoot, "cli", "dist", "florin.js");

/** Starts the built command, and does not wait. */
export function launchCommand(args: string[], environment: Record<string, string>): Program {
  if (!existsSync(bundle)) throw new Error(`${bundle} is missing: run npm test.`);
  return start(process.execPath, ["--enable-source-maps", bundle, ...args], environment);
}

/** The same, with nobody left to read its output; it ends with the command's own code. */
export function launchUnread(args: string[], environment: Record<string, string>): Program {
  const script = 'set -o pipefail; "$@" | true';
  return start("bash", ["-c", script, "bash", process.execPath, bundle, ...args], environment);
}

/** Runs the built command to its end. */
export async function florin(args: string[], environment: Record<string, string>): Promise<Ended> {
  const program = launchCommand(args, environment);
  const { code } = await program.exited;
  return { code, stdout: program.stdout, stderr: program.stderr };
}

/** What it prints for programs, where it has nothing to complain of. */
export async function florinJson(
  args: string[],
  environment: Record<string, string>,
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
): Promise<any> {
  const { code, stdout, stderr } = await florin([...args, "--json"], environment);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}
