import { expect, test } from "vitest";
import { nearest } from "./nearest.ts";

const WORDS = ["card.frozen", "card.unfrozen", "transaction.*"];

test.each([
  ["card.frozn", "card.frozen"],
  ["card.frozen", "card.frozen"],
  ["card.unfrozzen", "card.unfrozen"],
  ["transactions.*", "transaction.*"],
  ["bogus.thing", undefined],
  ["", undefined],
])("%j was meant as %j", (typed, meant) => {
  expect(nearest(typed, WORDS)).toBe(meant);
});
