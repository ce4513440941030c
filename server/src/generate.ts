import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "./db/embedded/embedded.ts";
import { migrate } from "./db/migrate.ts";
import { createPool } from "./db/pool.ts";
import { renderConfiguration } from "./docs/configuration.ts";
import { renderOpenApi } from "./docs/openapi.ts";
import { renderResponseCodes } from "./docs/response-codes.ts";
import { dumpSchema } from "./docs/schema-dump.ts";

/** Everything in the repository that is made from the code, by path from its root. */
async function generate(): Promise<Map<string, string>> {
  return new Map([
    ["docs/response-codes.md", renderResponseCodes()],
    ["docs/configuration.md", renderConfiguration()],
    ["docs/openapi.json", await renderOpenApi()],
    ["server/schema.sql", await renderSchema()],
  ]);
}

async function renderSchema(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), "florin-generate-"));
  const database = await startEmbedded({ dataDir, log: () => undefined });
  try {
    await migrate(database.url);
    const pool = createPool(database.url, 1);
    const schema = await dumpSchema(pool);
    await pool.end();
    return schema;
  } finally {
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** `generate` writes the files; `generate --check` only says which of them are not up to date. */
async function main(check: boolean): Promise<number> {
  const stale: string[] = [];
  for (const [path, content] of await generate()) {
    if (readOrEmpty(path) === content) continue;
    stale.push(path);
    if (!check) writeFileSync(path, content);
  }
  const verb = check ? "not up to date; run `npm run generate`" : "written";
  for (const path of stale) process.stdout.write(`${path}: ${verb}\n`);
  return check && stale.length > 0 ? 1 : 0;
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

process.exit(await main(process.argv.includes("--check")));
