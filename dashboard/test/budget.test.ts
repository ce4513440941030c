import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

const BUDGET_BYTES = 250_000;
const dist = fileURLToPath(new URL("../dist/", import.meta.url));

interface Chunk {
  file: string;
  name?: string;
  imports?: string[];
}

const manifest = (): Record<string, Chunk> =>
  JSON.parse(readFileSync(`${dist}manifest.json`, "utf8"));

/** Everything that has to arrive before these parts can run. */
function filesFor(parts: string[]): Set<string> {
  const chunks = manifest();
  const files = new Set<string>();
  const visit = (name: string) => {
    const chunk = chunks[name];
    if (chunk === undefined) throw new Error(`${name} is not in the build.`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  for (const part of parts) {
    const isPart = ([, { name, file }]: [string, Chunk]) => name === part && file.endsWith(".js");
    visit(Object.entries(chunks).find(isPart)?.[0] ?? part);
  }
  return files;
}

test.each([
  ["the log-in", ["index"]],
  ["the home screen", ["index", "app-layout", "home-page"]],
])("%s takes at most 250 kB of compressed script", (_name, parts) => {
  const sizes = [...filesFor(parts)].map((file) => gzipSync(readFileSync(dist + file)).length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(BUDGET_BYTES);
});

test("no script is written into the page, and nothing comes from elsewhere", () => {
  expect(existsSync(`${dist}index.html`)).toBe(true);
  const page = readFileSync(`${dist}index.html`, "utf8");
  expect(page).not.toMatch(/<script(?![^>]*\bsrc=)/);
  expect(page).not.toMatch(/(src|href)="(https?:)?\/\//);
});
