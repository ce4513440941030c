/** What a script learns from the exit code; `docs/guides/command-line.md` lists them for people. */
export const exitCodes = { ok: 0, refused: 1, usage: 2, unreachable: 3, interrupted: 130 } as const;

type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends the command with words for a person and a code for a script. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.refused) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** A mistake of whoever typed the command. */
export const usageFailure = (message: string): CommandFailure =>
  new CommandFailure(message, exitCodes.usage);
