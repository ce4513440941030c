import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const architecture = readFileSync(new URL("../../../ARCHITECTURE.md", import.meta.url), "utf8");

test("every file on the way of a purchase is there", () => {
  const [, map = ""] = /\n## A purchase, file by file\n([\s\S]*?)\n## /.exec(architecture) ?? [];
  const files = [...map.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file = ""]) => file);
  expect(files.length).toBeGreaterThan(10);
  const missing = files.filter((file) => !existsSync(new URL(`../${file}`, import.meta.url)));
  expect(missing).toEqual([]);
});
