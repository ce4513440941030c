import { expect } from "vitest";
import { evaluate } from "../../src/authorization/decide.ts";
import { unpackFacts } from "../../src/authorization/trace.ts";
import type { Pool } from "../../src/db/pool.ts";
import { codes } from "../../src/foundation/codes.ts";

/** Whatever was decided is decided again, with the same end, from what was stored; gives how much that was. */
export async function decideAgain(pool: Pool): Promise<number> {
  const { rows } = await pool.query(
    `select decision, approved, response_code as "responseCode" from transactions where decision is not null`,
  );
  for (const { decision, approved, responseCode } of rows) {
    const { failed, results } = evaluate(unpackFacts(decision.facts), () => 0);
    expect(failed === undefined).toBe(approved);
    expect(codes[failed ?? "SUCCESS"].code).toBe(responseCode);
    expect(results).toBe(decision.results);
  }
  return rows.length;
}
