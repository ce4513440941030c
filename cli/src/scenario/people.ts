import { ADA, OBI_AND_SONS } from "../sandbox/customer.ts";
import type { Data, World } from "./world.ts";

/** Somebody new for each run: one customer is made per clientReference. */
export async function verify(world: World, type: unknown, outcome: unknown): Promise<Data> {
  const clientReference = `scenario-${crypto.randomUUID()}`;
  const isAtOnce = type !== "Business" && (outcome === undefined || outcome === "Approved");
  if (isAtOnce) {
    return world.call("POST", "/kyc/individual", { clientReference, individualKyc: ADA });
  }
  const started =
    type === "Business"
      ? await world.call("POST", "/kyc/business", { clientReference, businessKyc: OBI_AND_SONS })
      : await world.call("POST", "/kyc/individual", { clientReference, individualKyc: PASSPORT });
  if (outcome === "Initiated") return started;
  return world.call("POST", `/simulator/kyc/${started.kycToken}`, {
    status: outcome ?? "Approved",
    ...(outcome === "Rejected" ? { rejectType: "FINAL", rejectLabels: ["OTHER"] } : {}),
  });
}

/** A document, because a number in the register is judged at once. Its image is one pixel. */
const PASSPORT = {
  idType: "PASSPORT",
  idNumber: "A01234567",
  firstName: "Ada",
  lastName: "Obi",
  idFrontImage:
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
};
