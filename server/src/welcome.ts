import { EmbeddedDatabaseError } from "./db/embedded/error.ts";
import { type Config, ConfigError } from "./foundation/config.ts";
import { StartError } from "./http/listener.ts";
import type { Service } from "./service.ts";

/** What a person sees when everything is up: where to go, and what to try first. */
export function welcome(config: Config, { addresses, credentialsFile }: Service): string {
  const lines = [
    "",
    `Florin is running (${config.env}).`,
    "",
    `  API        ${addresses.api}/api/v1`,
    `  Reference  ${addresses.api}/docs`,
    `  Identity   ${addresses.identity}`,
  ];
  if (credentialsFile !== undefined) {
    lines.push(
      `  Sandbox    ${credentialsFile}`,
      "",
      "Try it, in another terminal:",
      "",
      "  npm run florin -- request GET /wallets",
    );
  }
  return `${[...lines, "", ""].join("\n")}`;
}

/** One clear message for what a person can mend; a stack trace for what only a developer can. */
export function explainStartError(error: unknown): string {
  if (
    error instanceof ConfigError ||
    error instanceof EmbeddedDatabaseError ||
    error instanceof StartError
  ) {
    return `Florin did not start. ${error.message}`;
  }
  return `Florin did not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
