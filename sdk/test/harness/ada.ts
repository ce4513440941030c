import type { Florin } from "@florin/sdk";

export const lagos = { street: "1 Marina Road", city: "Lagos", state: "Lagos", country: "NG" };

/** A person whom the sandbox approves at once, new each time. Gives the customer's id. */
export async function adaIn(florin: Florin): Promise<string> {
  const { customerId = "" } = await florin.kyc.verifyIndividual({
    clientReference: crypto.randomUUID(),
    individualKyc: {
      idType: "BVN",
      idNumber: "22222222222",
      firstName: "Ada",
      lastName: "Obi",
      address: lagos,
    },
  });
  return customerId;
}
