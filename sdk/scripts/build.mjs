// Makes dist/ from src/: JavaScript and its types. `--out DIR` puts it elsewhere.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const outAt = process.argv.indexOf("--out");
const out = outAt === -1 ? join(root, "dist") : resolve(process.argv[outAt + 1] ?? "");
const typescript = dirname(createRequire(import.meta.url).resolve("typescript/package.json"));

// What was deleted from src must not live on in dist.
rmSync(out, { recursive: true, force: true });
const args = [
  join(typescript, "bin", "tsc"),
  "-p",
  join(root, "tsconfig.build.json"),
  "--outDir",
  out,
];
const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
if (status === 0) pointTypesAtWhatIsBuilt();
process.exitCode = status ?? 1;

/** The compiler rewrites the imports of what runs, not those of the types. */
function pointTypesAtWhatIsBuilt() {
  for (const name of readdirSync(out, { recursive: true })) {
    if (!name.endsWith(".d.ts")) continue;
    const path = join(out, name);
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace(/(from |import\()"(\.[^"]+)\.ts"/g, '$1"$2.js"'));
  }
}
