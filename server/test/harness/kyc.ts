import type { ApiAnswer, ApiClient, CallOptions } from "./api-client.ts";
import { newReference } from "./api-client.ts";
import { eventually } from "./eventually.ts";
import { samplePng } from "./sample-images.ts";

export const KYC_TOKEN = /^kyc_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
export const CUSTOMER_ID = /^cus_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

export const lagos = { street: "1 Marina Road", city: "Lagos", state: "Lagos", country: "NG" };
export const accra = {
  street: "2 Ring Road",
  city: "Accra",
  state: "Greater Accra",
  country: "GH",
};
export const image = samplePng().toString("base64");

type Fields = Record<string, unknown>;

const person = (individualKyc: Fields, clientReference = newReference()) => ({
  clientReference,
  individualKyc,
});

/** Ada Obi by her BVN, whom the sandbox approves. */
export const bvn = (change: Fields = {}, clientReference?: string) =>
  person(
    {
      idType: "BVN",
      idNumber: "22222222222",
      firstName: "Ada",
      lastName: "Obi",
      address: lagos,
      ...change,
    },
    clientReference,
  );

/** Chinedu Okafor by his NIN. */
export const nin = (change: Fields = {}, clientReference?: string) =>
  bvn(
    {
      idType: "NIN",
      idNumber: "11111111111",
      firstName: "Chinedu",
      lastName: "Okafor",
      dateOfBirth: "1990-01-31",
      ...change,
    },
    clientReference,
  );

export const vnin = (change: Fields = {}, clientReference?: string) =>
  nin({ idType: "vNIN", idNumber: "AB12345678901234", ...change }, clientReference);

export const passport = (change: Fields = {}, clientReference?: string) =>
  person(
    {
      idType: "PASSPORT",
      idNumber: "A00123456",
      firstName: "Ada",
      lastName: "Obi",
      idFrontImage: image,
      ...change,
    },
    clientReference,
  );

export const business = (change: Fields = {}, clientReference = newReference()) => ({
  clientReference,
  businessKyc: {
    registeredName: "Obi & Sons Ltd",
    registrationNumber: "RC123456",
    address: lagos,
    ...change,
  },
});

export const verifyIndividual = (client: ApiClient, body: unknown, options: CallOptions = {}) =>
  client.post("/kyc/individual", body, options);

export const verifyBusiness = (client: ApiClient, body: unknown, options: CallOptions = {}) =>
  client.post("/kyc/business", body, options);

export const statusOf = (client: ApiClient, kycToken: string): Promise<ApiAnswer> =>
  client.get(`/kyc/${kycToken}`);

/** Polls as a client would, and gives what it finally hears. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
export const untilStatus = (client: ApiClient, kycToken: string, status: string): Promise<any> =>
  eventually(`${kycToken} is ${status}`, async () => {
    const { body } = await statusOf(client, kycToken);
    return body.data.status === status ? body.data : undefined;
  });
