import { afterAll, beforeAll, expect, test } from "vitest";
import { type Books, openBooks } from "../../test/harness/books.ts";
import { newClaim } from "../../test/harness/claims.ts";
import { scratchDatabase } from "../../test/harness/scratch.ts";
import { ServiceClock } from "../foundation/clock.ts";
import { SandboxRegistry } from "../providers/sandbox-registry.ts";
import type { NumberQuery } from "./port.ts";
import type { NumberApplication } from "./submission.ts";
import { type KycDeps, submitIndividual } from "./verification-service.ts";

let books: Books;
beforeAll(async () => {
  books = openBooks(await scratchDatabase());
});
afterAll(() => books.close());

const slow: NumberApplication = {
  kind: "Number",
  clientReference: "ada",
  idType: "BVN",
  identity: { idNumber: "55555555555" },
  details: { firstName: "Ada", lastName: "Obi" },
};

/** A register that would be waited for longer than any test. */
async function ask(agoMs: number): Promise<{ asked: AbortSignal[]; answer: Promise<unknown> }> {
  const clock = new ServiceClock();
  const registry = new SandboxRegistry({ clock, delayMs: 0, deadlineMs: 600_000 });
  const asked: AbortSignal[] = [];
  const kycProvider = {
    name: registry.name,
    verifyNumber: (query: NumberQuery) => {
      if (query.signal !== undefined) asked.push(query.signal);
      return registry.verifyNumber(query);
    },
  };
  const deps = { pool: books.pool, clock, kycProvider } as unknown as KycDeps;
  const caller = {
    organizationId: await books.openOrganization(),
    claim: newClaim(),
    receivedMs: performance.now() - agoMs,
  };
  return { asked, answer: submitIndividual(deps, caller, slow) };
}

test("a slow register is waited for since the request came, not since its turn", async () => {
  const { asked, answer } = await ask(9_000);
  await expect(answer).rejects.toMatchObject({ codeName: "ISSUER_SWITCH_TIMEOUT" });
  // As a caller who hangs up, which does not speak against the register.
  expect(asked.map(({ reason }) => reason.name)).toEqual(["AbortError"]);
});

test("where no time is left of ten seconds nobody is asked", async () => {
  const { asked, answer } = await ask(10_000);
  await expect(answer).rejects.toMatchObject({ codeName: "ISSUER_SWITCH_TIMEOUT" });
  expect(asked).toEqual([]);
});
