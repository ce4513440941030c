import { expect, test } from "vitest";
import { isSuccess, readAnswer } from "./answer.ts";

const success = '{"responseCode":"000","data":[]}';

const answer = (status: number, body: string): Buffer =>
  Buffer.from(
    `HTTP/1.1 ${status} Text\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: keep-alive\r\n\r\n${body}`,
  );

test.each([
  [200, success, true],
  [201, success, false],
  [200, '{"responseCode":"131"}', false],
  [422, '{"responseCode":"116"}', false],
  [200, "", false],
])("%i %s", (status, body, expected) => {
  const bytes = answer(status, body);
  const found = readAnswer(bytes);
  expect(found).toMatchObject({ status, end: bytes.length });
  expect(found && isSuccess(bytes, found)).toBe(expected);
});

test("every beginning of an answer is incomplete", () => {
  const bytes = answer(200, success);
  for (let length = 0; length < bytes.length; length++) {
    expect(readAnswer(bytes.subarray(0, length))).toBeUndefined();
  }
});

test("what follows an answer is not taken for part of it", () => {
  const first = answer(200, '{"responseCode":"131"}');
  const bytes = Buffer.concat([first, answer(200, success)]);
  const found = readAnswer(bytes);
  expect(found?.end).toBe(first.length);
  expect(found && isSuccess(bytes, found)).toBe(false);
});

test("an answer without a length cannot be read", () => {
  const bytes = Buffer.from(
    "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n\r\ncontent-length: 3\r\n",
  );
  expect(() => readAnswer(bytes)).toThrow("without content-length");
});
