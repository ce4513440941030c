import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { newClaim } from "../../test/harness/claims.ts";
import type { Claim } from "./claim.ts";
import { InFlight } from "./in-flight.ts";

const claim = (reference: string, clientId = "cli_1"): Claim => newClaim(reference, { clientId });

test("a Reference is found while its request is under way, and only then", async () => {
  const inFlight = new InFlight();
  const mine = claim("R");
  await inFlight.takeTurn(mine, async () => {
    expect(inFlight.find("cli_1", "R")).toBe(mine);
    expect(inFlight.find("cli_2", "R")).toBeUndefined();
    expect(inFlight.find("cli_1", "r")).toBeUndefined();
  });
  expect(inFlight.find("cli_1", "R")).toBeUndefined();
});

test("a failure gives the turn on, and the failure to its own caller only", async () => {
  const inFlight = new InFlight();
  const first = inFlight.takeTurn(claim("R"), async () => {
    await nextTurn();
    throw new Error("refused");
  });
  const second = inFlight.takeTurn(claim("R"), async () => "done");
  await expect(first).rejects.toThrow("refused");
  expect(await second).toBe("done");
});

test("other References and other clients do not wait", async () => {
  const inFlight = new InFlight();
  let release: () => void = () => undefined;
  const slow = inFlight.takeTurn(
    claim("R"),
    () =>
      new Promise<void>((resolve) => {
        release = resolve;
      }),
  );
  expect(await inFlight.takeTurn(claim("S"), async () => 1)).toBe(1);
  expect(await inFlight.takeTurn(claim("R", "cli_2"), async () => 2)).toBe(2);
  release();
  await slow;
});

test("however many requests share a Reference, they run one at a time, and all of them run", async () => {
  const requests = fc.array(fc.constantFrom("R", "S"), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(requests, async (references) => {
      const inFlight = new InFlight();
      const running = new Set<string>();
      let ran = 0;
      await Promise.all(
        references.map((reference) =>
          inFlight.takeTurn(claim(reference), async () => {
            expect(running.has(reference)).toBe(false);
            running.add(reference);
            await nextTurn();
            running.delete(reference);
            ran++;
          }),
        ),
      );
      expect(ran).toBe(references.length);
    }),
    { numRuns: 50 },
  );
});
