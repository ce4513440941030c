import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "../src/foundation/ids.ts";
import type { TransactionFilter } from "../src/transactions/filter.ts";
import { isRareCurrency, sourceOf } from "../src/transactions/sources.ts";
import { type Books, openBooks } from "./harness/books.ts";
import { openCard } from "./harness/cards.ts";
import { scratchDatabase } from "./harness/scratch.ts";

const ROWS = 30_000;
const PAGE = 21;
/** Far less than there is; a page and what had to be sifted out on the way. */
const FEW = 600;

let books: Books;
let organizationId: string;
let rare: { cardId: string; customerId: string };

beforeAll(async () => {
  books = openBooks(await scratchDatabase());
  organizationId = await books.openOrganization();
  const common = await openCard(books.pool, organizationId);
  rare = await openCard(books.pool, organizationId, { currency: "NGN" });
  await insertMany(common, ROWS, {});
  await insertMany(rare, 3, { currency: "NGN" });
  for (const change of [
    { type: "CashWithdrawal" },
    { type: "TopUp", stage: "Completed" },
    { stage: "Declined", approved: false },
    { currency: "KES" },
    { stage: "Reversal" },
    { stage: "Refund" },
    { stage: "Expired" },
    { stage: "Authorization" },
    { stage: "Authorization", billingAmountMinor: 0 },
  ]) {
    await insertMany(common, 2, change);
  }
  await books.pool.query(
    `insert into hold_sweeps (organization_id, hold_days, swept_to)
     select $1, 7, max(transaction_id) from transactions where stage = 'Settlement'`,
    [organizationId],
  );
  await books.pool.query("analyze");
});

afterAll(() => books.close());

/** Settled purchases as they would be, unless changed; straight into the table. */
async function insertMany(
  { cardId, customerId }: { cardId: string; customerId: string },
  count: number,
  change: {
    type?: string;
    stage?: string;
    approved?: boolean;
    currency?: string;
    billingAmountMinor?: number;
  },
): Promise<void> {
  const {
    type = "Authorization",
    stage = "Settlement",
    approved = true,
    currency = "USD",
  } = change;
  const ids = Array.from({ length: count }, () => newId("txn", Date.now()));
  const billingCurrency = currency === "KES" ? "USD" : currency;
  await books.pool.query(
    `insert into transactions (organization_id, transaction_id, card_id, customer_id, account_id, type, stage,
       approved, response_code, amount_minor, currency, billing_amount_minor, billing_currency, events,
       created_at, updated_at)
     select $1, id, $3, $4, 'acc_1', $5, $6, $7, '000', 1, $8, $9, $10, '[]', now(), now()
       from unnest($2::text[]) as k(id)`,
    [
      ...[organizationId, ids, cardId, customerId, type, stage, approved, currency],
      ...[change.billingAmountMinor ?? 100, billingCurrency],
    ],
  );
  if (approved && stage !== "Authorization" && stage !== "Completed") {
    await books.pool.query(
      `insert into network_messages (organization_id, network_reference, request_type, transaction_id, stage, created_at)
       select $1, id, 'Settlement', id, $3, now() from unnest($2::text[]) as k(id)`,
      [organizationId, ids, stage],
    );
  }
}

interface Plan {
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  "Relation Name"?: string;
  Plans?: Plan[];
}

/** How many rows of tables and indexes were looked at. */
function rowsRead(plan: Plan): number {
  const own =
    plan["Relation Name"] === undefined
      ? 0
      : (plan["Actual Rows"] +
          (plan["Rows Removed by Filter"] ?? 0) +
          (plan["Rows Removed by Index Recheck"] ?? 0)) *
        plan["Actual Loops"];
  return own + (plan.Plans ?? []).reduce((sum, each) => sum + rowsRead(each), 0);
}

const filters: [string, () => Partial<TransactionFilter>, found: number][] = [
  ["everything", () => ({}), PAGE],
  ["approved", () => ({ approved: true }), PAGE],
  ["settled", () => ({ stage: "Settlement" }), PAGE],
  ["purchases", () => ({ type: "Authorization" }), PAGE],
  ["one card", () => ({ cardId: rare.cardId }), 3],
  ["one customer", () => ({ customerId: rare.customerId }), 3],
  ["a rare currency of cards", () => ({ currency: "NGN" }), 3],
  ["a rare currency of payments", () => ({ currency: "KES" }), 2],
  ["a currency that nobody uses", () => ({ currency: "CHF" }), 0],
  ["a rare type", () => ({ type: "CashWithdrawal" }), 2],
  ["a type that there is not", () => ({ type: "Regularization" }), 0],
  ["money that moved", () => ({ stage: "Completed" }), 2],
  ["declined", () => ({ approved: false }), 2],
  ["declined by stage", () => ({ stage: "Declined" }), 2],
  ["reversed", () => ({ stage: "Reversal" }), 2],
  ["refunded", () => ({ stage: "Refund" }), 2],
  ["expired", () => ({ stage: "Expired" }), 2],
  ["open, and verifications", () => ({ stage: "Authorization" }), 4],
  [
    "a rare type, settled",
    () => ({ type: "CashWithdrawal", stage: "Settlement", approved: true }),
    2,
  ],
];

// The last one is settled like most, so that its stage alone would not find it.
test.each(filters)("%s: few rows are read", async (_what, change, found) => {
  const filter = { range: { from: undefined, to: undefined }, ...change() };
  const { currency } = filter;
  const isRare =
    currency !== undefined && (await isRareCurrency(books.pool, organizationId, currency));
  const source = sourceOf(filter, { isRareCurrency: isRare });
  const { rows } = await books.pool.query(`explain (analyze, format json) ${source?.text}`, [
    organizationId,
    "txn_",
    "txn_~",
    PAGE,
    ...(source?.values ?? []),
  ]);
  const plan: Plan = rows[0]["QUERY PLAN"][0].Plan;
  expect(plan["Actual Rows"]).toBe(found);
  expect(rowsRead(plan), JSON.stringify(rows[0]["QUERY PLAN"], null, 1)).toBeLessThan(FEW);
});
