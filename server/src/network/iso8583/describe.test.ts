import { expect, test } from "vitest";
import { describeMessage } from "./describe.ts";
import type { Message } from "./fields.ts";
import { goldenMessages } from "./golden/golden.ts";

test("a message is described with its card number masked and its secrets left out", () => {
  const fields = {
    2: "4111111111111111",
    4: "000000001250",
    14: "2812",
    42: "MID 1          ",
    48: "9203123",
  };
  expect(describeMessage({ mti: "0100", fields })).toBe(
    '0100 2=411111******1111 4=000000001250 14=… 42="MID 1          " 48=…',
  );
});

test("what is not in the table does not appear, whatever it is", () => {
  const fields = { 11: "000001", 35: "4111111111111111=2812", 45: "B4111", 52: "PINBLOCK" };
  expect(describeMessage({ mti: "0100", fields } as Message)).toBe("0100 11=000001");
});

test("a card number that is none is not shown at all", () => {
  expect(describeMessage({ mti: "0100", fields: { 2: "41111111111" } })).toBe("0100 2=…");
});

test("a line stays a line", () => {
  expect(describeMessage({ mti: "0100", fields: { 41: "A\nB     " } })).toBe(
    '0100 41="A\\nB     "',
  );
});

test.each(goldenMessages)("shows no card number and no CVV2 of $title", ({ message }) => {
  const text = describeMessage(message);
  for (const secret of [message.fields[2], message.fields[48], message.fields[14]]) {
    if (secret !== undefined) expect(text).not.toMatch(new RegExp(`=${secret}( |$)`));
  }
  expect(text.startsWith(message.mti)).toBe(true);
});
