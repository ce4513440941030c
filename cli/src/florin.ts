#!/usr/bin/env node
import { exitCodes } from "./exit.ts";
import { explainFailure } from "./explain.ts";
import { createProgram } from "./program.ts";
import { processTerminal } from "./terminal/terminal.ts";

/** The `florin` command. */
async function main(args: string[]): Promise<number> {
  const program = createProgram(args);
  if (args.length === 0) {
    program.outputHelp();
    return exitCodes.ok;
  }
  let code: number = exitCodes.ok;
  program.setOptionValue("finish", (given: number) => {
    code = given;
  });
  await program.parseAsync(args, { from: "user" });
  return code;
}

// Whoever reads our output may have seen enough: florin cards list | head.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  process.exit(error.code === "EPIPE" ? exitCodes.ok : exitCodes.refused);
});

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => process.exit(explainFailure(error, processTerminal())),
);
