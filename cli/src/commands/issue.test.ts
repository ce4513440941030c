import { expect, test } from "vitest";
import { nextStep } from "./issue.ts";

const CARD = { cardId: "card_1", currency: "USD", cardLimits: {}, whiteListedMccs: [] };

test.each([
  [{ availableBalance: 100 }, "25.00"],
  [{ availableBalance: 7.5 }, "7.50"],
  [{ availableBalance: 100, cardLimits: { dailyLimit: 20, transactionLimit: 10 } }, "10.00"],
  [{ availableBalance: 100, currency: "JPY" }, "25"],
  [{ availableBalance: 100, whiteListedMccs: ["5411", "5812"] }, "25.00 --mcc 5411"],
])("a card with %j can pay %s", (card, paid) => {
  expect(nextStep({ ...CARD, ...card }, "florin")).toBe(
    `Buy something with it: florin simulate authorize card_1 ${paid}`,
  );
});

test("a card without money is given some first", () => {
  expect(nextStep({ ...CARD, availableBalance: 0 }, "florin")).toBe(
    "Put money on it, then buy something:\n  florin cards top-up card_1 50\n  florin simulate authorize card_1 25.00",
  );
});
