import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

/** The path of a file that comes with this package, whether run from the bundle or from the sources. */
export function packageFile(...path: string[]): string {
  return join(rootAbove(here, "package.json") ?? here, ...path);
}

/** The checkout of Florin that this command belongs to, if it does. */
export function projectRoot(): string | undefined {
  return rootAbove(here, join("server", "package.json"));
}

/** A program of the server, once it is built. */
export function serverProgram(name: "main" | "florin"): string | undefined {
  const root = projectRoot();
  const path = root === undefined ? undefined : join(root, "server", "dist", `${name}.js`);
  return path !== undefined && existsSync(path) ? path : undefined;
}

function rootAbove(folder: string, sign: string): string | undefined {
  if (existsSync(join(folder, sign))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : rootAbove(parent, sign);
}

/** What to type to run this command again: a checkout has no `florin` of its own in the PATH. */
export const florinCommand = commandAs(process.argv[1] ?? "", projectRoot());

export function commandAs(startedAs: string, root: string | undefined): string {
  return root === undefined || basename(startedAs) === "florin" ? "florin" : "npm run florin --";
}
