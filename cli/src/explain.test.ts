import { AuthenticationError, ConnectionError, RefusedError, ValidationError } from "@florin/sdk";
import { CommanderError } from "commander";
import { expect, test } from "vitest";
import { CommandFailure, usageFailure } from "./exit.ts";
import { explainFailure } from "./explain.ts";

function explain(error: unknown): { code: number; text: string } {
  const lines: string[] = [];
  const code = explainFailure(error, {
    print: () => undefined,
    say: (line) => lines.push(line),
    style: (_style, text) => text,
    isInteractive: false,
  });
  return { code, text: lines.join("\n") };
}

test("a refusal says whether a retry makes sense", () => {
  const error = new RefusedError({
    message: "Insufficient funds",
    responseCode: "116",
    finality: "TerminalFailure",
    requestId: "req_1",
    reference: "r1",
  });
  expect(explain(error)).toEqual({
    code: 1,
    text: "Refused: 116 Insufficient funds (final: do not retry without changing something)\n  req_1, Reference r1",
  });
});

test("a token that was refused is told in one sentence", () => {
  const message = "No token was given (401 invalid_client): The client secret is wrong.";
  const [first] = explain(new AuthenticationError({ message, httpStatus: 401 })).text.split("\n");
  expect(first).toBe(
    "Refused: No token was given (401 invalid_client): The client secret is wrong (final: do not retry without changing something)",
  );
});

test("a customer in debt comes with what to do about it", () => {
  const error = new RefusedError({
    message: "Negative balance exceeds limit",
    responseCode: "161",
  });
  const { text } = explain(error);
  expect(text).toMatch(/A card of this customer is below zero: .* cards list --customer ID/);
  expect(text).toMatch(/cards top-up CARD AMOUNT\n.*request POST \/cards\/CARD\/regularize$/);
});

test("fields stand under each other", () => {
  const errors = [
    { field: "amount", message: "is missing" },
    { field: "merchant.mcc", message: "has 4 digits" },
  ];
  const error = new ValidationError({ message: "Invalid request", responseCode: "131", errors });
  expect(explain(error).text.split("\n").slice(1)).toEqual([
    "  amount        is missing",
    "  merchant.mcc  has 4 digits",
  ]);
});

test.each([
  [new ConnectionError({ message: "No answer" }), 3, /npm start/],
  [usageFailure("Wrong."), 2, /^Wrong\.$/],
  [new CommandFailure("No."), 1, /^No\.$/],
  [new CommanderError(1, "commander.unknownOption", "said already"), 2, /^$/],
  [new CommanderError(0, "commander.helpDisplayed", "said already"), 0, /^$/],
])("%s ends with %d", (error, code, text) => {
  const told = explain(error);
  expect(told.code).toBe(code);
  expect(told.text).toMatch(text);
});
