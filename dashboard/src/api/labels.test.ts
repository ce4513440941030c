import { expect, test } from "vitest";
import { Failure, sayFailure } from "./failure.ts";
import { labelOf, withLabels } from "./labels.ts";

test.each([
  ["url", "Address"],
  ["reason", "Reason"],
  ["defaultScopes.0", "Default scopes"],
  ["merchantIds[0]", "Merchant ids"],
  ["mids.12", "Merchant ids"],
  ["address.city", "City"],
  ["0", "0"],
])("%s is called %s", (field, label) => {
  expect(labelOf(field)).toBe(label);
});

test("a sentence about fields has their labels", () => {
  expect(withLabels("`from` must not be after `to`")).toBe("“From” must not be after “Until”");
});

test("what is told of a failure names no field as the service does", () => {
  const facts = Failure.lost().facts;
  const fieldErrors = [{ field: "mids.0", message: "must not be empty" }];
  const refused = new Failure("Invalid request", { ...facts, fieldErrors });
  expect(sayFailure(refused)).toBe("Merchant ids: must not be empty");
  expect(sayFailure(new Failure("`to` must be later", facts))).toBe("“Until” must be later");
});
