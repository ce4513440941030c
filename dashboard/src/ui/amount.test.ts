import { expect, test } from "vitest";
import { amountOf, checkAmount } from "./amount.ts";

const usd = { currency: "USD" };

test.each([
  ["15.50", usd, 15.5],
  [" 1,250,000.5 ", usd, 1_250_000.5],
  ["1.239", { currency: "KWD" }, 1.239],
  // Browsers know of no decimals here, the standard does.
  ["10.50", { currency: "PKR" }, 10.5],
  ["1.239", { currency: "IQD" }, 1.239],
  ["0", { ...usd, mayBeZero: true }, 0],
  // While a currency is being typed, the amount beside it is not at fault.
  ["1.239", { currency: "U" }, 1.239],
])("%j with %o is the amount %d", (typed, rules, amount) => {
  expect(checkAmount(rules)(typed)).toBeNull();
  expect(amountOf(typed)).toBe(amount);
});

test("only an optional amount may be left out", () => {
  expect(checkAmount({ ...usd, isOptional: true })(" ")).toBeNull();
  expect(checkAmount(usd)(" ")).toBe("Enter an amount");
});

test.each([
  ["-5", usd, "Must be more than 0"],
  ["-5", { ...usd, mayBeZero: true }, "Must not be negative"],
  ["0.00", usd, "Must be more than 0"],
  ["1e3", usd, "Write it in digits, such as 1250.50"],
  ["abc", usd, "Write it in digits, such as 1250.50"],
  // Elsewhere this means twelve and a half: nobody guesses.
  ["12,50", usd, "Write it in digits, such as 1250.50"],
  ["1.239", usd, "USD has 2 decimals"],
  ["1.5", { currency: "jpy" }, "JPY has no decimals"],
])("%j with %o is refused: %s", (typed, rules, words) => {
  expect(checkAmount(rules)(typed)).toBe(words);
});
