import { expect, vi } from "vitest";
import type { ApiAnswer } from "./api-client.ts";

export const REQUEST_ID = /^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
export const WALLET_ID = /^wal_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** An answer as clients judge it: HTTP status and responseCode together. */
export const verdict = ({ status, body }: ApiAnswer): string => `${status}/${body?.responseCode}`;

/**
 * A refusal as the contract has it: the verdict, the envelope with nothing but its fields, and for
 * 400/131 the fields that are wrong.
 */
export function expectRefusal(answer: ApiAnswer, expected: string): void {
  expect({ verdict: verdict(answer), body: answer.body }).toMatchObject({ verdict: expected });
  expectEnvelope(answer);
}

/** Whatever else it says, an answer under /api/v1 has this shape. */
export function expectEnvelope({ status, headers, body }: ApiAnswer): void {
  expect(headers.get("content-type")).toMatch(/^application\/json\b/);
  expect(body).toMatchObject({
    responseCode: expect.stringMatching(/^\d{3}$/),
    responseMessage: expect.stringMatching(/./),
    finality: expect.stringMatching(/^(TerminalSuccess|TerminalFailure|Indeterminate)$/),
    requestId: expect.stringMatching(REQUEST_ID),
  });
  expect(body.responseCode === "000").toBe(status === 200);
  expect(body.finality === "TerminalSuccess").toBe(status === 200);
  expect(JSON.stringify(body)).not.toMatch(/node_modules|\.ts:\d|\.js:\d|\bat .*\(/);
  const always = ["responseCode", "responseMessage", "finality", "requestId", "data"];
  expect(Object.keys(body)).toEqual(expect.arrayContaining(always));
  const extra = Object.keys(body).filter((name) => !always.includes(name));
  expect(extra.filter((name) => !["pagination", "errors"].includes(name))).toEqual([]);
  if (body.responseCode === "131") expectFieldErrors(body.errors);
}

function expectFieldErrors(errors: unknown): void {
  expect(errors, "400/131 says in `errors` which fields are wrong").toBeInstanceOf(Array);
  expect(errors).not.toEqual([]);
  for (const error of errors as unknown[]) {
    expect(error).toEqual({
      field: expect.stringMatching(/./),
      message: expect.stringMatching(/./),
    });
  }
}

export const fieldsOf = ({ body }: ApiAnswer): string[] =>
  (body.errors ?? []).map((error: { field: string }) => error.field);

/** Waits for what a process learns of by itself, in a moment. */
export const becomes = <T>(look: () => Promise<T>, expected: T): Promise<void> =>
  vi.waitFor(async () => expect(await look()).toEqual(expected), {
    timeout: 15_000,
    interval: 100,
  });

/** Reads what is open to everyone. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
export const readJson = async (url: string): Promise<any> => (await fetch(url)).json();
