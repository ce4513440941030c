import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

test("work under one name never overlaps, whatever becomes of it; other names do not wait", async () => {
  const turns = new Turns();
  const story: string[] = [];
  const work = (name: string, ends: "well" | "badly") => async () => {
    story.push(`${name} begins`);
    await turn();
    story.push(`${name} ends`);
    if (ends === "badly") throw new Error(name);
    return name;
  };
  const results = await Promise.allSettled([
    turns.take("a", work("first", "well")),
    turns.take("a", work("second", "badly")),
    turns.take("a", work("third", "well")),
    turns.take("b", work("other", "well")),
  ]);
  expect(results.map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "fulfilled",
    "fulfilled",
  ]);
  expect(story.filter((line) => !line.startsWith("other"))).toEqual([
    "first begins",
    "first ends",
    "second begins",
    "second ends",
    "third begins",
    "third ends",
  ]);
  expect(story.indexOf("other begins")).toBeLessThan(story.indexOf("second begins"));
});
