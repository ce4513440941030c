import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Why the schema cannot be brought up to date, in one line for people. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

export interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

/** Those that this version knows, in their order. */
export function migrationNames(): string[] {
  return readdirSync(migrationsDirectory())
    .filter((file) => file.endsWith(".sql"))
    .sort();
}

export function readMigrations(): Migration[] {
  return migrationNames().map((name) => {
    const sql = readFileSync(join(migrationsDirectory(), name), "utf8");
    return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
  });
}

/** The sources and the bundle lie at different depths below `server/`. */
function migrationsDirectory(from = dirname(fileURLToPath(import.meta.url))): string {
  const candidate = join(from, "migrations");
  if (existsSync(candidate)) return candidate;
  const parent = dirname(from);
  if (parent === from)
    throw new MigrationError("The migrations directory is missing from this installation.");
  return migrationsDirectory(parent);
}
