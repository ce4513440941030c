import { expect, test } from "vitest";
import { ListedCards } from "./listed-cards.ts";

test("a card is remembered as it was when it bought last", () => {
  const listed = new ListedCards();
  const noted = [true, true, false, false, true].map((isListed) => {
    listed.note("card_1", isListed);
    return listed.has("card_1");
  });
  expect(noted).toEqual([true, true, false, false, true]);
  expect(listed.has("card_2")).toBe(false);
});
