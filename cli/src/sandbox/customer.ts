import { type Florin, RefusedError } from "@florin/sdk";
import { CommandFailure, usageFailure } from "../exit.ts";
import { isSandbox } from "./is-sandbox.ts";

const LAGOS = { street: "1 Marina Road", city: "Lagos", state: "Lagos", country: "NG" };

/** Ada Obi, whom the sandbox's register knows by her BVN. */
export const ADA = {
  idType: "BVN",
  idNumber: "22222222222",
  firstName: "Ada",
  lastName: "Obi",
  address: LAGOS,
} as const;

export const OBI_AND_SONS = {
  registeredName: "Obi and Sons Ltd",
  registrationNumber: "RC123456",
  address: LAGOS,
} as const;

const IN_DEBT = "161";

/**
 * Works for a customer whom the sandbox makes up: always the same one, as one clientReference stands for one
 * customer, but somebody new if that one gets no more cards because one is below zero.
 */
export async function withCustomer<T>(
  clientReference: string,
  work: (clientReference: string) => Promise<T>,
): Promise<T> {
  try {
    return await work(clientReference);
  } catch (error) {
    if (!(error instanceof RefusedError) || error.responseCode !== IN_DEBT) throw error;
    return work(`${clientReference}-${crypto.randomUUID()}`);
  }
}

/** Somebody to issue a card to. Never outside a sandbox, where verifying somebody is a serious thing. */
export async function sandboxCustomer(
  florin: Florin,
  apiUrl: string,
  type: "Retail" | "Corporate" | "Lite",
  clientReference: string,
): Promise<string> {
  if ((await isSandbox(apiUrl)) === false) {
    throw usageFailure("--customer is missing: only a sandbox makes a customer up.");
  }
  const verify = type === "Corporate" ? business : individual;
  const { customerId } = await verify(florin, clientReference);
  if (customerId === undefined)
    throw new CommandFailure("The sandbox did not approve its own customer.");
  return customerId;
}

const individual = (florin: Florin, clientReference: string) =>
  florin.kyc.verifyIndividual({ clientReference, individualKyc: ADA });

async function business(florin: Florin, clientReference: string) {
  const started = await florin.kyc.verifyBusiness({ clientReference, businessKyc: OBI_AND_SONS });
  if (started.status === "Approved") return started;
  return florin.simulator.decideKyc(started.kycToken, { status: "Approved" });
}
