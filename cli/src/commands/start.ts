import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Command } from "commander";
import { CommandFailure, exitCodes } from "../exit.ts";
import { serverProgram } from "../project.ts";
import { run } from "./action.ts";

/** As `npm start` runs it: what the service remembers is bounded, so a small heap is enough. */
export const NODE_OPTIONS = [
  "--max-old-space-size=512",
  "--min-semi-space-size=8",
  "--max-semi-space-size=8",
  "--no-allocation-site-pretenuring",
];

export function addStart(program: Command): void {
  const command = program.command("start").description("Run the service, as npm start does");
  run(command, async () => {
    const path = serverProgram("main");
    if (path === undefined) {
      throw new CommandFailure(
        "There is no built service beside this command: use npm start.",
        exitCodes.usage,
      );
    }
    const child = spawn(process.execPath, [...NODE_OPTIONS, path], { stdio: "inherit" });
    // Passed on, since the service decides when it has stopped. It may get a signal twice and heeds the first.
    for (const signal of ["SIGINT", "SIGTERM"] as const)
      process.on(signal, () => child.kill(signal));
    const [code] = (await once(child, "exit")) as [number | null];
    return code ?? exitCodes.refused;
  });
}
