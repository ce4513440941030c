import { expect, test } from "vitest";
import { type Applicant, emptyApplicant } from "./applicant.ts";
import { missingIn } from "./missing.ts";

const ADDRESS = ["address.street", "address.city", "address.state"];
const PERSON = ["clientReference", "idNumber", "firstName", "lastName"];

test.each<[string, Partial<Applicant>, string[]]>([
  ["a BVN", {}, [...PERSON, ...ADDRESS]],
  ["a NIN", { idType: "NIN" }, [...PERSON, "dateOfBirth", ...ADDRESS]],
  ["a vNIN", { idType: "vNIN" }, [...PERSON, "dateOfBirth", ...ADDRESS]],
  ["a passport", { idType: "PASSPORT" }, [...PERSON, "idFrontImage"]],
  ["a Ghana card", { idType: "GHANA_CARD" }, [...PERSON, "idFrontImage", ...ADDRESS]],
  [
    "a business",
    { kind: "business" },
    ["clientReference", "registeredName", "registrationNumber", ...ADDRESS],
  ],
  ["spaces", { firstName: "  " }, [...PERSON, ...ADDRESS]],
  [
    "a passport with half an address",
    { idType: "PASSPORT", address: { ...emptyApplicant().address, city: "Accra" } },
    [...PERSON, "idFrontImage", "address.street", "address.state"],
  ],
])("of %s on an empty form these are missing", (_name, change, fields) => {
  expect(Object.keys(missingIn({ ...emptyApplicant(), ...change }))).toEqual(fields);
});

test("nothing is missing of a form that is filled in", () => {
  const address = { street: "1 Marina", city: "Lagos", state: "Lagos", postalCode: "" };
  const person = { clientReference: "c-1", idNumber: "1", firstName: "Ada", lastName: "Obi" };
  const applicant = { ...emptyApplicant(), ...person, address: { ...address, country: "NG" } };
  expect(missingIn(applicant)).toEqual({});
});
