import { expect, test } from "vitest";
import { codes } from "./codes.ts";
import { Failure } from "./failure.ts";

test("a bare failure speaks as the code table does", () => {
  const failure = new Failure("INSUFFICIENT_FUNDS");
  expect(failure).toBeInstanceOf(Error);
  expect(failure.name).toBe("Failure");
  expect(failure.message).toBe("Insufficient funds");
  expect(failure.response).toBe(codes.INSUFFICIENT_FUNDS);
  expect(failure.fields).toEqual([]);
  expect(failure.retryAfterS).toBeUndefined();
  expect("cause" in failure).toBe(false);
});

test("a message of its own changes the text and nothing else of the response", () => {
  const failure = new Failure("DUPLICATE_REQUEST", { message: "Payload changed" });
  expect(failure.message).toBe("Payload changed");
  expect(failure.response).toEqual({ ...codes.DUPLICATE_REQUEST, message: "Payload changed" });
});

test("field errors, the waiting time and the cause are kept", () => {
  const cause = new Error("socket closed");
  const errors = [{ field: "amount", message: "is required" }];
  const failure = new Failure("NO_ACTION_TAKEN", { errors, retryAfterS: 3, cause });
  expect(failure.fields).toEqual(errors);
  expect(failure.retryAfterS).toBe(3);
  expect(failure.cause).toBe(cause);
});
