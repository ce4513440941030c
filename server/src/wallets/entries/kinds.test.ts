import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { entryKinds } from "./kinds.ts";

const guide = readFileSync(new URL("../../../../docs/guides/funding.md", import.meta.url), "utf8");

test("the guide's table has every kind of entry, and no other", () => {
  const section = guide.split("\n## The wallet's entries\n")[1] ?? "";
  const documented = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, kind]) => kind);
  expect(documented).toEqual(entryKinds);
});
