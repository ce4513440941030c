import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const guides = new URL("../../../docs/guides/", import.meta.url);

/** The blocks of commands in which an event is triggered for somebody who listens. */
const blocks = readdirSync(guides)
  .filter((file) => file.endsWith(".md"))
  .flatMap((file) => readFileSync(new URL(file, guides), "utf8").match(/^```sh\n.*?^```/gms) ?? [])
  .filter((block) => block.includes(" listen ") && block.includes(" trigger "));

test("a guide listens for the event that it triggers, not for those that come before it", () => {
  expect(blocks.length).toBeGreaterThan(0);
  for (const block of blocks) {
    const [, type] = / trigger (\S+)/.exec(block) ?? [];
    expect(block).toMatch(new RegExp(` listen .*--events ${type} `));
  }
});
