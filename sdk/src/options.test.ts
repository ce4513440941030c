import { expect, test } from "vitest";
import { readOptions } from "./options.ts";

const given = {
  apiUrl: "http://127.0.0.1:4000/",
  identityUrl: "http://127.0.0.1:4001",
  clientId: "c",
  clientSecret: "s3cr3t value",
  uniqueKey: "k",
};

test("what is not said has a default", () => {
  expect(readOptions(given)).toMatchObject({
    apiUrl: "http://127.0.0.1:4000",
    timeoutMs: 30_000,
    maxRetries: 4,
    backoffMs: 250,
  });
});

test("the API's address may be the one that a start prints, with the path that all calls have", () => {
  const printed = { ...given, apiUrl: "https://cards.example.com/florin/api/v1/" };
  expect(readOptions(printed).apiUrl).toBe("https://cards.example.com/florin");
});

test("says what it needs where nothing is given", () => {
  expect(() => readOptions()).toThrow("Florin needs apiUrl.");
});

test.each([
  ["apiUrl", undefined],
  ["apiUrl", "api.example.com"],
  ["apiUrl", "ftp://api.example.com"],
  ["identityUrl", "https://user:s3cr3t@example.com"],
  ["clientId", ""],
  ["clientSecret", undefined],
  ["uniqueKey", "s3cr3t\nvalue"],
  ["timeoutMs", 0],
  ["timeoutMs", Number.NaN],
  ["timeoutMs", 2 ** 31],
  ["maxRetries", -1],
])("%s cannot be %o, and the error names it without showing it", (name, value) => {
  const options = { ...given, [name]: value } as typeof given;
  expect(() => readOptions(options)).toThrow(name);
  expect(() => readOptions(options)).not.toThrow("s3cr3t");
});
