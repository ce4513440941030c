import { expect, test } from "vitest";
import { expectedCodes } from "./codes.expected.ts";
import { codes, type ResponseCode } from "./codes.ts";

const table: [name: string, row: ResponseCode][] = Object.entries(codes);

test("the table and the interface's list hold the same codes, texts and finality", () => {
  const inTable = new Set(table.map(([, row]) => `${row.code} ${row.finality} ${row.message}`));
  const inInterface = new Set(expectedCodes.map((row) => row.join(" ")));
  expect([...inTable].sort()).toEqual([...inInterface].sort());
});

test("the interface's list names every code once", () => {
  expect(new Set(expectedCodes.map(([code]) => code)).size).toBe(expectedCodes.length);
});

test("000 is the only success", () => {
  const successes = table.filter(([, row]) => row.finality === "TerminalSuccess");
  expect(successes).toEqual([["SUCCESS", expect.objectContaining({ code: "000" })]]);
});

test.each([
  ["TerminalSuccess", [200]],
  ["TerminalFailure", [400, 401, 403, 404, 422]],
  ["Indeterminate", [429, 500, 502, 503, 504]],
])("%s answers with one of the statuses %j", (finality, statuses) => {
  const rows = table.filter(([, row]) => row.finality === finality);
  expect(rows.filter(([, row]) => !statuses.includes(row.httpStatus))).toEqual([]);
});

test("refusals are business rules, 422, except those that the contract names", () => {
  const named = table
    .filter(([, row]) => row.finality === "TerminalFailure" && row.httpStatus !== 422)
    .map(([, row]) => `${row.httpStatus}/${row.code}`);
  expect(named.sort()).toEqual([
    "400/111",
    "400/112",
    "400/131",
    "400/132",
    "400/139",
    "401/113",
    "401/137",
    "401/146",
    "403/115",
    "403/149",
    "404/148",
    "404/157",
  ]);
});

test.each([
  ["NO_ACTION_TAKEN", "170", 429],
  ["SERVICE_EXCEPTION", "911", 500],
  ["TERMINAL_PROCESSOR_ERROR", "152", 502],
  ["SERVICE_MALFUNCTION", "150", 503],
  ["ISSUER_SWITCH_TIMEOUT", "172", 504],
] as const)("%s is %s with status %i", (name, code, httpStatus) => {
  expect(codes[name]).toMatchObject({ code, httpStatus });
});

test("a code has a second name only where the status depends on the circumstances", () => {
  const namesByCode = new Map<string, string[]>();
  for (const [name, row] of table) {
    namesByCode.set(row.code, [...(namesByCode.get(row.code) ?? []), name]);
  }
  const shared = [...namesByCode.values()].filter((names) => names.length > 1);
  expect(shared).toEqual([["KYC_NOT_APPROVED", "ORGANIZATION_DISABLED"]]);
  expect(codes.ORGANIZATION_DISABLED).toEqual({ ...codes.KYC_NOT_APPROVED, httpStatus: 403 });
});
