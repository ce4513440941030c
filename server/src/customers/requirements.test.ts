import { expect, test } from "vitest";
import { type Identification, type IdType, idTypes, unmetRequirements } from "./requirements.ts";

const lagos = { country: "NG" };
const accra = { country: "Ghana" };
const image = "aGk=";
const dateOfBirth = "1990-01-31";

const complete: Readonly<Record<IdType, Identification>> = {
  BVN: { idNumber: "22222222222", address: lagos },
  NIN: { idNumber: "11111111111", dateOfBirth, address: lagos },
  vNIN: { idNumber: "AB12345678901234", dateOfBirth, address: lagos },
  PASSPORT: { idNumber: "A00123456", idFrontImage: image },
  NATIONAL_ID: { idNumber: "12345", idFrontImage: image },
  DRIVERS_LICENSE: { idNumber: "ABC-12345/AA 12", idFrontImage: image },
  VOTERS_CARD: { idNumber: "90F5B2", idFrontImage: image },
  GHANA_CARD: { idNumber: "GHA-123456789-0", idFrontImage: image, address: accra },
};

const fieldsOf = (given: Identification) => unmetRequirements(given).map(({ field }) => field);

test.each(idTypes)("%s with all that it needs lacks nothing", (idType) => {
  expect(unmetRequirements({ idType, ...complete[idType] })).toEqual([]);
});

test.each<[IdType, Partial<Identification>, string[]]>([
  ["BVN", { address: undefined }, ["address"]],
  ["BVN", { address: accra }, ["address.country"]],
  ["BVN", { address: { country: "Nowhere" } }, []], // told where the country is read
  ["BVN", { dateOfBirth: undefined }, []],
  ["BVN", { idNumber: "2222222222" }, ["idNumber"]],
  ["BVN", { idNumber: "222222222222" }, ["idNumber"]],
  ["BVN", { idNumber: "2222222222a" }, ["idNumber"]],
  ["BVN", { idNumber: "٢٢٢٢٢٢٢٢٢٢٢" }, ["idNumber"]], // digits of another script
  ["BVN", { idNumber: "22222222222\n" }, ["idNumber"]],
  ["BVN", { idNumber: undefined }, []], // every submission has one, so the schema tells it
  ["NIN", { dateOfBirth: undefined, address: undefined }, ["dateOfBirth", "address"]],
  ["NIN", { address: accra, idNumber: "x" }, ["idNumber", "address.country"]],
  ["vNIN", { dateOfBirth: undefined }, ["dateOfBirth"]],
  ["vNIN", { idNumber: "AB1234567890123" }, ["idNumber"]],
  ["vNIN", { idNumber: "AB123456789012345" }, ["idNumber"]],
  ["vNIN", { idNumber: "AB123456-8901234" }, ["idNumber"]],
  ["vNIN", { address: accra }, ["address.country"]],
  ["PASSPORT", { idFrontImage: undefined }, ["idFrontImage"]],
  ["PASSPORT", { idNumber: "" }, ["idNumber"]],
  ["PASSPORT", { idNumber: "1".repeat(51) }, ["idNumber"]],
  ["PASSPORT", { idNumber: "A<script>" }, ["idNumber"]],
  ["PASSPORT", { address: accra }, []],
  ["GHANA_CARD", { address: undefined }, ["address"]],
  ["GHANA_CARD", { address: lagos }, ["address.country"]],
  ["GHANA_CARD", { idFrontImage: undefined }, ["idFrontImage"]],
])("%s with %j lacks %j", (idType, change, expected) => {
  expect(fieldsOf({ idType, ...complete[idType], ...change })).toEqual(expected);
});

test("a kind that nobody knows needs nothing; its name is refused elsewhere", () => {
  expect(fieldsOf({ idType: "LIBRARY_CARD" })).toEqual([]);
});
