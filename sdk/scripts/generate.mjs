// Makes src/generated/openapi.ts from docs/openapi.json: `node generate.mjs` writes it, `--check` says
// whether it is up to date.
import { readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { renderTypes } from "./render-types.mjs";

const source = fileURLToPath(new URL("../../docs/openapi.json", import.meta.url));
const target = fileURLToPath(new URL("../src/generated/openapi.ts", import.meta.url));

const wanted = renderTypes(JSON.parse(readFileSync(source, "utf8")));
const isStale = readOrEmpty(target) !== wanted;
const isCheck = process.argv.includes("--check");
if (isStale && !isCheck) writeFileSync(target, wanted);
if (isStale) {
  const name = relative(process.cwd(), target);
  console.log(`${name}: ${isCheck ? "not up to date; run `npm run generate`" : "written"}`);
}
process.exitCode = isStale && isCheck ? 1 : 0;

function readOrEmpty(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
