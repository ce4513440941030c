import { chmodSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Addresses } from "../http/addresses.ts";
import type { SandboxCredentials } from "./seed.ts";

/** Writes what a developer needs to call this sandbox, readable by its owner only. Gives the path. */
export function writeCredentialsFile(
  dataDir: string,
  addresses: Addresses,
  credentials: SandboxCredentials,
): string {
  const path = resolve(join(dataDir, "sandbox.json"));
  const content = {
    apiUrl: addresses.api,
    identityUrl: addresses.identity,
    dashboardUrl: addresses.dashboard,
    ...credentials,
  };
  mkdirSync(dataDir, { recursive: true });
  // Renamed into place, so that nobody ever reads half a file.
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, path);
  return path;
}
