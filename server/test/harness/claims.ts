import type { Claim } from "../../src/references/claim.ts";
import { newReference } from "./api-client.ts";

/** A request's hold on a Reference, as authentication would make it. */
export function newClaim(reference = newReference(), change: Partial<Claim> = {}): Claim {
  return {
    clientId: "cli_1",
    reference,
    requestId: "req_1",
    method: "POST",
    path: "/api/v1/x",
    digest: () => Buffer.alloc(32, 1),
    settled: false,
    ...change,
  };
}
