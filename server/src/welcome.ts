import { resolve } from "node:path";
import { EmbeddedDatabaseError } from "./db/embedded/error.ts";
import { ForeignDatabase } from "./db/environment.ts";
import { inWords, isDenied, isUnavailable } from "./db/errors.ts";
import { MigrationError } from "./db/migrations.ts";
import { ForeignSetting, OtherDatabase } from "./db/pooler.ts";
import { SharedSessions } from "./db/sessions.ts";
import { ConfigError } from "./foundation/config/config.ts";
import { type Config, configKeys } from "./foundation/config/table.ts";
import { WrongMasterKey } from "./foundation/keyring.ts";
import type { Log } from "./foundation/log.ts";
import type { Addresses } from "./http/addresses.ts";
import { StartError } from "./http/listener.ts";
import type { Service } from "./service.ts";

/** Says that everything is up: in a sandbox to a person, elsewhere to whoever collects the log's lines. */
export function announce(config: Config, service: Service, log: Log): void {
  const { addresses, credentialsFile } = service;
  if (credentialsFile !== undefined) {
    // A full disk under it, or a reader that is gone, is no reason to end.
    process.stdout.on("error", () => undefined);
    process.stdout.write(welcome(config, addresses, credentialsFile));
  } else {
    log.info({ env: config.env, roles: config.roles, ...addresses }, "Florin is running");
  }
}

/** What a person sees of a sandbox: where to go, and what to try first. */
export function welcome(config: Config, addresses: Addresses, credentialsFile: string): string {
  const lines = [
    "",
    `Florin is running (${config.env}).`,
    "",
    `  API        ${addresses.api}/api/v1`,
    `  Reference  ${addresses.api}/docs`,
    `  Identity   ${addresses.identity}`,
    `  Dashboard  ${addresses.dashboard}`,
  ];
  if (addresses.network !== undefined) {
    lines.push(`  Network    ${addresses.network} (ISO 8583)`);
  }
  lines.push(
    `  Sandbox    ${credentialsFile}`,
    "",
    "Issue your first card, in another terminal:",
    "",
    `  ${whereElse(config)}npm run florin -- first-card`,
  );
  return `${[...lines, "", ""].join("\n")}`;
}

/** A command in another terminal finds a sandbox by its data directory. */
function whereElse({ dataDir }: Config): string {
  if (resolve(dataDir) === resolve(configKeys.dataDir.fallback)) return "";
  return `FLORIN_DATA_DIR='${resolve(dataDir).replaceAll("'", "'\\''")}' `;
}

/** One clear message for what a person can mend; a stack trace for what only a developer can. */
export function explainStartError(error: unknown, outcome = "Florin did not start"): string {
  if (MENDABLE.some((kind) => error instanceof kind)) {
    return `${outcome}. ${(error as Error).message}`;
  }
  if (isUnavailable(error)) {
    return `${outcome}. The database cannot be used: ${inWords(error) || "it does not answer"}`;
  }
  if (isDenied(error)) {
    return `${outcome}. The database's role lacks a privilege: ${error.message}; see docs/guides/operating.md`;
  }
  return `${outcome}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

const MENDABLE = [
  ConfigError,
  EmbeddedDatabaseError,
  ForeignDatabase,
  ForeignSetting,
  MigrationError,
  OtherDatabase,
  SharedSessions,
  StartError,
  WrongMasterKey,
];
