import type { JoinedDatabase } from "../database.ts";
import { idBeginning, idEnding } from "./many-cards.ts";

const AGE_MS = 86_400_000;
const MERCHANT = { mid: "BENCH", mcc: "5411", name: "Bench Shop", city: "Anywhere", country: "US" };

/** What a settled purchase of yesterday looks like, but for its ids. */
const SETTLED = {
  events: [
    { requestType: "Authorization", amount: 1.25, responseCode: "000" },
    { requestType: "Settlement", amount: 1.25, responseCode: "000" },
  ],
  decision: {
    model: "ServiceManaged",
    facts: [0, 0, 0, 0, 125, null, null, 0, null, 100_000_000],
    results: "PPPPPPPPPPPP",
    times: [5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
  },
};

/**
 * Gives every card of an organization a settled purchase, as many times as it is told: written by the
 * database itself, with ids that grow as those of real ones do.
 */
export async function seedTransactions(
  { run }: JoinedDatabase,
  organizationId: string,
  timesEach: number,
): Promise<void> {
  const atMs = Date.now() - AGE_MS;
  for (let time = 0; time < timesEach; time++) {
    const prefix = idBeginning("txn", atMs + time);
    const [merchant, events, decision] = [MERCHANT, SETTLED.events, SETTLED.decision].map((json) =>
      JSON.stringify(json),
    );
    const at = new Date(atMs + time);
    await run(INSERT, [organizationId, prefix, merchant, events, decision, at]);
  }
}

const INSERT = `
  insert into transactions (organization_id, transaction_id, card_id, customer_id, account_id, type, stage,
    approved, response_code, amount_minor, currency, billing_amount_minor, billing_currency,
    settled_minor, merchant, entry_mode, approval_code, network_reference, events, decision,
    created_at, updated_at)
  select organization_id, id, card_id, customer_id, account_id, 'Authorization', 'Settlement', true, '000',
         125, 'USD', 125, 'USD', 125, $3::json, 'Ecommerce', upper(right(id, 6)), id, $4::json, $5::json, $6, $6
    from (select *, $2 || ${idEnding("row_number() over (order by card_id)")} as id
            from cards where organization_id = $1) c
   order by id`;
