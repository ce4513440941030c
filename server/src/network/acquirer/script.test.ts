import { expect, test } from "vitest";
import { readScript } from "./script.ts";

test.each([
  ["coffee", "is not JSON."],
  ["[]", ": must be an object."],
  ['{ "amount": 1 }', ": send is required."],
  ['{ "send": "0999" }', ": send must be one of 0100, 0120, 0200, 0220, 0400, 0420, 0800."],
  ['{ "send": "0100", "amount": "1" }', ": amount must be a number."],
  ['{ "send": "0100", "amuont": 1 }', ": amuont is not a known field."],
  ['{ "send": "0100", "fields": { "200": "1" } }', ": fields.200 is a key that is no field."],
  ['{ "name": "tea", "send": "0220", "about": "tea" }', ": no step before is called tea."],
  ['{ "send": "0100", "repeat": true }', ": repeat needs the step that it is about."],
  ['{ "send": "0200", "kind": "refund" }', ": a refund is sent as 0220."],
])("the line %s %s", (line, problem) => {
  expect(() => readScript(`# a comment\n${line}`)).toThrow(
    new RegExp(`^Line 2 ?${problem.replaceAll(".", "\\.")}$`),
  );
});
