#!/usr/bin/env node
import { exitCodes } from "./exit.ts";
import { explainFailure } from "./explain.ts";
import { createProgram } from "./program.ts";
import { processTerminal } from "./terminal/terminal.ts";

/** The `florin` command. A command that has not gone well leaves its code in `process.exitCode`. */
async function main(args: string[]): Promise<void> {
  const program = createProgram(args);
  if (args.length === 0) program.outputHelp();
  else await program.parseAsync(args, { from: "user" });
}

// Whoever reads our output may have seen enough: florin cards list | head.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  process.exit(error.code === "EPIPE" ? exitCodes.ok : exitCodes.refused);
});

main(process.argv.slice(2)).then(
  () => process.exit(),
  (error: unknown) => process.exit(explainFailure(error, processTerminal())),
);
