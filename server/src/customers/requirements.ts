import { type CountryCode, parseCountry } from "../foundation/countries.ts";
import type { FieldError } from "../foundation/failure.ts";
import { documentIdTypes, type NumberIdType, numberIdTypes } from "./port.ts";

export const idTypes = [...numberIdTypes, ...documentIdTypes] as const;
export type IdType = (typeof idTypes)[number];

export function isNumberIdType(idType: IdType): idType is NumberIdType {
  return (numberIdTypes as readonly string[]).includes(idType);
}

interface NumberFormat {
  pattern: RegExp;
  message: string;
}

const elevenDigits: NumberFormat = { pattern: /^\d{11}$/, message: "must be 11 digits" };
const documentNumber: NumberFormat = {
  pattern: /^[\p{L}\p{N}][\p{L}\p{N} ./-]{0,49}$/u,
  message:
    "must be 1 to 50 letters and digits, also with spaces, dots, hyphens and slashes in them",
};

/** Numbers of documents and of businesses come in many shapes. */
export const registrationNumber = documentNumber;

interface Requirements {
  idNumber: NumberFormat;
  /** What must be there, besides the names and the number that everyone has. */
  fields: readonly ("dateOfBirth" | "address" | "idFrontImage")[];
  /** Where the address must be. */
  country?: { code: CountryCode; message: string };
}

const NIGERIA = { code: "NG", message: "must be Nigeria" } as const;
const document: Requirements = { idNumber: documentNumber, fields: ["idFrontImage"] };

/** What each kind of identification needs. */
const requirementsOf: Readonly<Record<IdType, Requirements>> = {
  BVN: { idNumber: elevenDigits, fields: ["address"], country: NIGERIA },
  NIN: { idNumber: elevenDigits, fields: ["dateOfBirth", "address"], country: NIGERIA },
  vNIN: {
    idNumber: { pattern: /^[A-Za-z0-9]{16}$/, message: "must be 16 letters and digits" },
    fields: ["dateOfBirth", "address"],
    country: NIGERIA,
  },
  PASSPORT: document,
  NATIONAL_ID: document,
  DRIVERS_LICENSE: document,
  VOTERS_CARD: document,
  GHANA_CARD: {
    ...document,
    fields: ["idFrontImage", "address"],
    country: { code: "GH", message: "must be Ghana" },
  },
};

/** As it was sent, perhaps with fields that are already known to be wrong. */
export interface Identification {
  idType?: unknown;
  idNumber?: unknown;
  dateOfBirth?: unknown;
  address?: unknown;
  idFrontImage?: unknown;
}

/** What an identification lacks that its kind needs. Fields that are no text at all are not judged here. */
export function unmetRequirements(given: Identification): FieldError[] {
  const idType = idTypes.find((candidate) => candidate === given.idType);
  if (idType === undefined) return [];
  const { idNumber, fields, country } = requirementsOf[idType];
  const errors: FieldError[] = fields
    .filter((field) => given[field] === undefined)
    .map((field) => ({ field, message: `is required for ${idType}` }));
  if (typeof given.idNumber === "string" && !idNumber.pattern.test(given.idNumber)) {
    errors.push({ field: "idNumber", message: `${idNumber.message} for ${idType}` });
  }
  const addressCountry = countryOf(given.address);
  if (country !== undefined && addressCountry !== undefined && addressCountry !== country.code) {
    errors.push({ field: "address.country", message: `${country.message} for ${idType}` });
  }
  return errors;
}

/** An unknown country is reported where the address is read. */
function countryOf(address: unknown): CountryCode | undefined {
  if (typeof address !== "object" || address === null || !("country" in address)) return undefined;
  return typeof address.country === "string" ? parseCountry(address.country) : undefined;
}
