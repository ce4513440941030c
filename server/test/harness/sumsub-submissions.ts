import { afterEach, beforeEach } from "vitest";
import type { DocumentSubmission } from "../../src/customers/port.ts";
import { newId } from "../../src/foundation/ids.ts";
import { Sumsub, type SumsubConfig } from "../../src/providers/sumsub/adapter.ts";
import { PretendSumsub } from "./pretend-sumsub.ts";
import { sampleJpeg } from "./sample-images.ts";

interface TheirSide {
  server: PretendSumsub;
  /** The adapter as it would be configured for it. */
  adapter(change?: Partial<SumsubConfig>): Sumsub;
}

/** A server of its own for each test of a file. */
export function serverForEachTest(): TheirSide {
  const theirs: TheirSide = {
    server: new PretendSumsub(),
    adapter: (change) => sumsubFor(theirs.server, change),
  };
  beforeEach(async () => {
    theirs.server = new PretendSumsub();
    await theirs.server.start();
  });
  afterEach(() => theirs.server.stop());
  return theirs;
}

const alpha3: Record<string, string> = { NG: "NGA", GH: "GHA", GB: "GBR" };

/** Quick to try again. */
function sumsubFor(server: PretendSumsub, change: Partial<SumsubConfig> = {}): Sumsub {
  const { baseUrl, appToken, secretKey, webhookSecret, levelNames } = server;
  return new Sumsub({
    baseUrl,
    appToken,
    secretKey,
    webhookSecret,
    levelNames,
    alpha3Of: (alpha2) => alpha3[alpha2] ?? "",
    backOffMs: 1,
    ...change,
  });
}

export const kycToken = newId("kyc", 0);
const address = {
  street: "1 Marina",
  city: "Lagos",
  state: "Lagos",
  postalCode: "100001",
  country: "NG",
};

export const passport: DocumentSubmission = {
  kycToken,
  idType: "PASSPORT",
  idNumber: "A01234567",
  firstName: "Adaeze",
  lastName: "Ọbí 👑",
  dateOfBirth: "1992-04-15",
  email: "ada@example.com",
  phoneNumber: "+2348000000000",
  address,
  front: { mediaType: "image/jpeg", bytes: sampleJpeg() },
};

export const business = {
  kycToken,
  registeredName: "Obi & Sons Ltd",
  registrationNumber: "RC123456",
  email: "office@example.com",
  address,
};

export const bvn = {
  kycToken,
  idType: "BVN",
  idNumber: "22222222222",
  firstName: "Ada",
  lastName: "Obi",
} as const;

export const adaFound = {
  answer: "GREEN",
  extractedDoc: { firstName: "ADA", middleName: "CHI", lastName: "OBI", dob: "1992-04-15" },
};

export const BVN = "TAX_PAYER_NUMBER_DOC 22222222222";
export const NIN = "ID_CARD 11111111111";
