import type { Florin } from "@florin/sdk";
import { CommandFailure, usageFailure } from "../exit.ts";
import { isSandbox } from "./environment.ts";

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

/**
 * Somebody to issue a card to, for whoever tries things out: always the same one, because one clientReference
 * stands for one customer. Never outside a sandbox, where verifying somebody is a serious thing.
 */
export async function sandboxCustomer(
  florin: Florin,
  apiUrl: string,
  type: "Retail" | "Corporate" | "Lite",
): Promise<string> {
  if ((await isSandbox(apiUrl)) === false) {
    throw usageFailure("--customer is missing: only a sandbox makes a customer up.");
  }
  const { customerId } = type === "Corporate" ? await business(florin) : await individual(florin);
  if (customerId === undefined)
    throw new CommandFailure("The sandbox did not approve its own customer.");
  return customerId;
}

const individual = (florin: Florin) =>
  florin.kyc.verifyIndividual({ clientReference: "florin-command", individualKyc: ADA });

async function business(florin: Florin) {
  const wanted = { clientReference: "florin-command-business", businessKyc: OBI_AND_SONS };
  const started = await florin.kyc.verifyBusiness(wanted);
  if (started.status === "Approved") return started;
  return florin.simulator.decideKyc(started.kycToken, { status: "Approved" });
}
