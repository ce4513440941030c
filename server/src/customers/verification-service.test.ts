import { afterAll, beforeAll, expect, test } from "vitest";
import { type Books, openBooks } from "../../test/harness/books.ts";
import { newClaim } from "../../test/harness/claims.ts";
import { scratchDatabase } from "../../test/harness/scratch.ts";
import { ServiceClock } from "../foundation/clock.ts";
import { SandboxRegistry } from "../providers/sandbox-registry.ts";
import type { NumberSubmitted } from "./submission.ts";
import { type KycDeps, verifyNumber } from "./verification-service.ts";

let books: Books;
beforeAll(async () => {
  books = openBooks(await scratchDatabase());
});
afterAll(() => books.close());

const slow: NumberSubmitted = {
  kind: "Number",
  clientReference: "ada",
  idType: "BVN",
  identity: { idNumber: "55555555555" },
  details: { firstName: "Ada", lastName: "Obi" },
};

test("a slow register is waited for since the request came, not since its turn", async () => {
  const clock = new ServiceClock();
  const patient = new SandboxRegistry({ clock, delayMs: 0, deadlineMs: 600_000 });
  const deps = { pool: books.pool, clock, kycProvider: patient } as unknown as KycDeps;
  const caller = {
    organizationId: await books.openOrganization(),
    claim: newClaim(),
    receivedMs: performance.now() - 60_000,
  };
  await expect(verifyNumber(deps, caller, slow)).rejects.toMatchObject({
    codeName: "ISSUER_SWITCH_TIMEOUT",
  });
});
