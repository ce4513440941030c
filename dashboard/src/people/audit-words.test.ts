import { describe, expect, test } from "vitest";
import type { AuditEntry } from "../api/own-types.ts";
import { outcomeOf, placeOf, sayDetails, whoDid } from "./audit-words.ts";

const entry = (known: Partial<AuditEntry>): AuditEntry => ({
  auditId: "aud_1",
  at: "2026-01-31T12:00:00.000Z",
  person: null,
  action: "changeCard",
  subject: null,
  detail: {},
  address: null,
  outcome: null,
  ...known,
});

const ID = "01hzy3v7k9q2m4n6p8r0s2t4v6";

test.each([
  [`card_${ID}`, `/cards/card_${ID}`],
  [`cus_${ID}`, `/customers/cus_${ID}`],
  [`txn_${ID}`, `/transactions/txn_${ID}`],
  [`wal_${ID}`, `/wallets/wal_${ID}`],
  [`whe_${ID}`, `/settings/webhooks/whe_${ID}`],
  [`per_${ID}`, undefined],
  [`constructor_${ID}`, undefined],
  ["card_../../elsewhere", undefined],
  [null, undefined],
])("%s leads to %s", (id, place) => {
  expect(placeOf(id)).toBe(place);
});

const refused = { code: "119", message: "Transaction not permitted", finality: "TerminalFailure" };
const lost = { code: "151", message: "Service timeout", finality: "Indeterminate" };
const done = { code: "000", message: "Success", finality: "TerminalSuccess" };

describe("how it ended", () => {
  test.each([
    ["what was done", { outcome: done }, { brief: "Done", tone: "positive" }],
    [
      "what was refused",
      { outcome: refused },
      { brief: "Refused: 119", reason: refused.message, tone: "negative" },
    ],
    [
      "what went wrong",
      { outcome: lost },
      { brief: "Failed: 151", reason: lost.message, tone: "warning" },
    ],
    ["a wrong password", { action: "sign_in.failed" }, { brief: "Failed", tone: "negative" }],
    [
      "what was begun, and no more",
      { detail: { reference: "r1" } },
      { brief: "Not known", tone: "warning" },
    ],
    [
      "what is on record when it is done",
      { detail: { cardId: "card_1" } },
      { brief: "Done", tone: "positive" },
    ],
  ])("is told of %s", (_name, known, outcome) => {
    expect(outcomeOf(entry(known))).toEqual(outcome);
  });
});

test.each([
  ["a person", { person: { personId: "per_1", name: "Ada" } }, "Ada"],
  ["a server", { detail: { actor: "cli_1" } }, "Your server"],
  ["nobody known", { detail: { actor: "operator" } }, "Operator or stranger"],
])("%s did it", (_name, known, name) => {
  expect(whoDid(entry(known))).toBe(name);
});

test("details are told in words", () => {
  const detail = {
    reference: "r1",
    requestId: "req_1",
    outcome: "000",
    changed: ["cardLimits", "metadata"],
    cardLimits: { dailyLimit: 500, transactionLimit: null },
    blackListedMccs: [],
    contactlessPayment: false,
  };
  expect(sayDetails(entry({ detail }))).toBe(
    "Changed: cardLimits, metadata; Card limits: daily limit 500, transaction limit none; " +
      "Black listed mccs: none; Contactless payment: no",
  );
  expect(sayDetails(entry({}))).toBe("");
});
