import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { eventTypes } from "./event-types.ts";

const sources = fileURLToPath(new URL("..", import.meta.url));

test("every type that is written somewhere can be asked for", () => {
  const written = readdirSync(sources, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .flatMap((file) =>
      [...readFileSync(join(sources, file), "utf8").matchAll(/eventType: "([^"]+)"/g)].map(
        ([, type]) => type,
      ),
    );
  expect(written.length).toBeGreaterThan(5);
  expect(eventTypes).toEqual(expect.arrayContaining([...new Set(written)]));
});
