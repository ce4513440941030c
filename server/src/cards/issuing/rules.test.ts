import { expect, test } from "vitest";
import { Failure } from "../../foundation/failure.ts";
import { programmeOf } from "../../programmes/programmes.ts";
import { readProgrammes } from "../../programmes/read.ts";
import type { CardType } from "../card.ts";
import {
  checkCardholder,
  checkLiteBounds,
  nameFor,
  readInitialBalance,
  readLiteBalance,
  readSettings,
  readSource,
  supportedProgramme,
  typeFor,
} from "./rules.ts";
import type { Cardholder } from "./store.ts";

const programmes = readProgrammes(undefined);
const usd = supportedProgramme(programmes, "USD");

const person: Cardholder = {
  organizationId: "org_1",
  customerId: "cus_1",
  type: "Individual",
  isApproved: true,
  firstName: "Ada",
  lastName: "Obi",
  registeredName: null,
  address: null,
};
const firm: Cardholder = {
  ...person,
  type: "Business",
  firstName: null,
  lastName: null,
  registeredName: "Obi & Sons",
};

function failureOf(work: () => unknown): Failure | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** The name of the code that something is refused with, if it is. */
const refusalOf = (work: () => unknown): string | undefined => failureOf(work)?.codeName;

const pending = { ...person, isApproved: false };

test.each<[string, CardType | undefined, string | undefined, Cardholder]>([
  ["a person", "Retail", undefined, person],
  ["a person", "Corporate", "KYC_NOT_APPROVED", person],
  ["a person", "Lite", undefined, person],
  ["a business", "Retail", "KYC_NOT_APPROVED", firm],
  ["a business", "Corporate", undefined, firm],
  ["a business", "Lite", undefined, firm],
  ["a business", undefined, undefined, firm],
  ["one who is not approved", "Lite", "KYC_NOT_APPROVED", pending],
  ["one who is not approved", undefined, "KYC_NOT_APPROVED", pending],
])("for %s a %s card: %s", (_who, type, expected, cardholder) => {
  expect(refusalOf(() => checkCardholder(cardholder, type))).toBe(expected);
});

test("a card that nothing more is said about is the customer's kind, in the customer's name", () => {
  expect([typeFor(person), nameFor(person)]).toEqual(["Retail", "ADA OBI"]);
  expect([typeFor(firm), nameFor(firm)]).toEqual(["Corporate", "OBI AND SONS"]);
});

test.each([
  [1, 100n],
  [9.99, 999n],
  [0, undefined],
  [1.001, undefined],
])("a lite balance of %d is %s", (balance, minor) => {
  if (minor !== undefined) expect(readLiteBalance(balance, "USD")).toBe(minor);
  else expect(refusalOf(() => readLiteBalance(balance, "USD"))).toBe("INVALID_REQUEST_AMOUNT");
});

test.each([
  [100n, 1, undefined],
  [1_000_000n, 1000, undefined],
  [99n, 1, "INVALID_REQUEST_AMOUNT"],
  [1_000_001n, 1, "INVALID_REQUEST_AMOUNT"],
  [100n, 1001, "INVALID_REQUEST"],
  [99n, 1001, "INVALID_REQUEST"],
])("a lite card with %i cents and %i swipes: %s", (balanceMinor, swipeCount, expected) => {
  expect(refusalOf(() => checkLiteBounds({ balanceMinor, swipeCount }, usd))).toBe(expected);
});

test("a currency without a programme is not supported", () => {
  expect(programmeOf(programmes, "EUR")).toBeUndefined();
  expect(refusalOf(() => supportedProgramme(programmes, "EUR"))).toBe("CURRENCY_NOT_SUPPORTED");
});

test("settings that are not asked for are none", () => {
  expect(readSettings({}, "USD")).toEqual({
    dailyLimitMinor: null,
    transactionLimitMinor: null,
    whiteListedMccs: [],
    blackListedMccs: [],
    contactlessPayment: false,
    metadata: {},
  });
});

const CARD_ID = "card_01hzy5n8v7qj3t4w6x9abcdefg";

test.each([
  [{ sharedBalance: true, cardId: CARD_ID }, { sharedWith: CARD_ID }],
  [{ sharedBalance: true, cardId: "card_1" }, "INVALID_CARD_ID"],
  [{ sharedBalance: false }, { initialBalance: 0 }],
  [{ sharedBalance: false, initialBalance: 5 }, { initialBalance: 5 }],
  [{ sharedBalance: true }, "INVALID_REQUEST"],
  [{ sharedBalance: true, cardId: "card_1", initialBalance: 0 }, "INVALID_REQUEST"],
  [{ sharedBalance: false, cardId: "card_1" }, "INVALID_REQUEST"],
])("re-issued with %j: %j", (request, expected) => {
  if (typeof expected === "string") expect(refusalOf(() => readSource(request))).toBe(expected);
  else expect(readSource(request)).toEqual(expected);
});

const bounds = "must be from 1.00 to 10000.00 USD";

test.each<[string, () => unknown, message: string | undefined, fields: object[]]>([
  [
    "a customer who is not approved",
    () => checkCardholder(pending),
    "The customer's verification is not approved",
    [],
  ],
  [
    "a person's card for a business",
    () => checkCardholder(firm, "Retail"),
    "A Retail card is for an Individual customer; this one is Business",
    [],
  ],
  [
    "a business's card for a person",
    () => checkCardholder(person, "Corporate"),
    "A Corporate card is for a Business customer; this one is Individual",
    [],
  ],
  [
    "a currency without a programme",
    () => supportedProgramme(programmes, "EUR"),
    "No cards are issued in EUR",
    [],
  ],
  [
    "a lite balance out of bounds",
    () => checkLiteBounds({ balanceMinor: 99n, swipeCount: 1 }, usd),
    `The balance of a lite card ${bounds}`,
    [{ field: "balance", message: bounds }],
  ],
  [
    "a lite card with both out of bounds",
    () => checkLiteBounds({ balanceMinor: 99n, swipeCount: 1001 }, usd),
    undefined,
    [
      { field: "balance", message: bounds },
      { field: "swipeCount", message: "must be from 1 to 1000" },
    ],
  ],
  [
    "a lite balance that is no amount",
    () => readLiteBalance(1.001, "USD"),
    undefined,
    [expect.objectContaining({ field: "balance" })],
  ],
  [
    "a first balance that is no amount",
    () => readInitialBalance(1.001, "USD"),
    undefined,
    [expect.objectContaining({ field: "initialBalance" })],
  ],
  [
    "a card to share with that nothing is shared with",
    () => readSource({ sharedBalance: false, cardId: CARD_ID }),
    undefined,
    [{ field: "cardId", message: "must not be sent if sharedBalance is false" }],
  ],
])("%s: the refusal says what is wrong, and where", (_what, work, message, fields) => {
  const failure = failureOf(work);
  expect(failure?.fields).toEqual(fields);
  if (message !== undefined) expect(failure?.message).toBe(message);
});
