import { Florin } from "@florin/sdk";
import type { Command } from "commander";
import { nextCommand, type Profile, readProfile } from "./profile/profile.ts";
import { processTerminal, type Terminal } from "./terminal/terminal.ts";

/** What a command works with. */
export interface Session {
  readonly terminal: Terminal;
  /** Whether a program reads: then exactly the service's data is printed, and nothing else. */
  readonly isJson: boolean;
  readonly profile: Profile;
  readonly florin: Florin;
  /** What to type before the words of a command that is suggested. */
  readonly nextCommand: string;
}

/** A person waits, so a service that is down is told of soon. */
const MAX_RETRIES = 2;

/** Opens what the command's options ask for; credentials are read when they are first needed. */
export function openSession(command: Command): Session {
  const { profile: file, json } = command.optsWithGlobals<{ profile?: string; json?: boolean }>();
  const terminal = processTerminal();
  let profile: Profile | undefined;
  let florin: Florin | undefined;
  const session = {
    terminal,
    isJson: json === true,
    nextCommand: nextCommand(process.env, file),
    get profile(): Profile {
      profile ??= readProfile(process.env, file);
      return profile;
    },
    get florin(): Florin {
      florin ??= new Florin({ ...session.profile, maxRetries: MAX_RETRIES });
      return florin;
    },
  };
  return session;
}

/** Prints data as it came for programs, or what `forPeople` makes of it. */
export function show<T>(
  { terminal, isJson }: Session,
  data: T,
  forPeople: (data: T) => string,
): void {
  terminal.print(isJson ? JSON.stringify(data, null, 2) : forPeople(data));
}
