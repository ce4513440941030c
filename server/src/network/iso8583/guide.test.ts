import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type CodeName, codes } from "../../foundation/codes.ts";
import { decode } from "./decode.ts";
import { type FieldSpec, fieldList } from "./fields.ts";
import { FrameSplitter, MAX_MESSAGE_BYTES } from "./framing.ts";
import { messageTypes } from "./message-types.ts";
import { networkResponseByName, networkResponses } from "./response.ts";

const guide = readFileSync(
  new URL("../../../../docs/guides/card-network.md", import.meta.url),
  "utf8",
);

/** The rows of the table below a heading. */
function tableUnder(heading: string): string[] {
  const section = guide.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  return section.split("\n").filter((line) => /^\| [A-Z]?[0-9]{1,4} \|/.test(line));
}

test("the guide lists the fields of the table", () => {
  const rows = fieldList.map(
    ({ number, spec }) => `| ${number} | ${spec.name} | ${formatOf(spec)} | ${spec.meaning} |`,
  );
  expect(tableUnder("Fields")).toEqual(rows);
});

function formatOf({ characters, lengthDigits, minLength, maxLength }: FieldSpec): string {
  if (lengthDigits === 0) return `${characters} ${maxLength}`;
  return `${characters} ${minLength}–${maxLength}, ${"L".repeat(lengthDigits)}VAR`;
}

test("the guide lists the message types that are spoken", () => {
  const rows = Object.entries(messageTypes).map(([mti, name]) => `| ${mti} | ${name} |`);
  expect(tableUnder("Message types")).toEqual(rows);
});

test("the guide lists what DE 39 says for each response code", () => {
  const rows = Object.entries(networkResponses)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([value, meaning]) => `| ${value} | ${meaning} | ${codesOf(value)} |`);
  expect(tableUnder("DE 39")).toEqual(rows);
});

function codesOf(value: string): string {
  const names = (Object.keys(codes) as CodeName[]).filter(
    (name) => networkResponseByName[name] === value,
  );
  return [...new Set(names.map((name) => codes[name].code))].sort().join(", ");
}

test("the guide's example is a message", () => {
  const block = /```\n(0[\s\S]+?)```/.exec(guide)?.[1] ?? "";
  const hex = block.split("\n").map((line) => line.split(" ")[0]);
  const { messages } = new FrameSplitter().push(Buffer.from(hex.join(""), "hex"));
  const fields = { 7: "0131120000", 11: "123456", 70: "301" };
  expect(messages.map(decode)).toEqual([{ mti: "0800", fields }]);
});

test("the guide says how long a message may be", () => {
  expect(guide).toContain(`1 to ${MAX_MESSAGE_BYTES} bytes`);
});
