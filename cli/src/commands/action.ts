import type { Command } from "commander";
import { usageFailure } from "../exit.ts";
import { openSession, type Session } from "../session.ts";

/** What a command does; it gives the exit code, or nothing when all is well. */
export type Action<Options> = (
  session: Session,
  args: string[],
  options: Options,
) => Promise<number | undefined> | Promise<void>;

/** Lets a command run with a session. Commander itself knows nothing of exit codes. */
export function run<Options extends object = object>(
  command: Command,
  action: Action<Options>,
): Command {
  return command.action(async () => {
    const args = command.processedArgs.flat().filter((arg): arg is string => arg !== undefined);
    if (args.includes("")) throw usageFailure("An argument is empty.");
    const code = await action(openSession(command), args, command.optsWithGlobals<Options>());
    if (code !== undefined) process.exitCode = code;
  });
}
