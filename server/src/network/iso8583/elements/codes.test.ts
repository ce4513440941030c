import { expect, test } from "vitest";
import { acquirerCountryOf } from "./acquirer-country.ts";
import { entryModeOf } from "./entry-mode.ts";
import { processingCodeOf } from "./processing-code.ts";

test.each([
  ["010", "Ecommerce"],
  ["812", "Ecommerce"],
  ["100", "Ecommerce"],
  ["051", "Chip"],
  ["951", "Chip"],
  ["021", "MagStripe"],
  ["801", "MagStripe"],
  ["901", "MagStripe"],
  ["071", "Contactless"],
  ["911", "Contactless"],
  ["000", undefined],
  ["501", undefined],
])("the entry mode %s is %s", (text, mode) => {
  expect(entryModeOf({ mti: "0100", fields: { 22: text } })).toBe(mode);
});

test("the processing code is a kind and two accounts", () => {
  expect(processingCodeOf({ mti: "0100", fields: { 3: "012030" } })).toEqual({
    kind: "01",
    fromAccount: "20",
    toAccount: "30",
  });
});

test.each([
  ["566", "NG"],
  ["999", undefined],
])("the acquirer of %s is in %s", (number, country) => {
  expect(acquirerCountryOf({ mti: "0100", fields: { 19: number } })).toBe(country);
});
