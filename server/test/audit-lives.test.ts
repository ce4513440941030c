import { afterAll, beforeAll, expect, test } from "vitest";
import { createPool } from "../src/db/pool.ts";
import { audit } from "../src/ledger/audit/audit.ts";
import { openBank } from "./harness/bank.ts";
import { bvn, verifyIndividual } from "./harness/kyc.ts";
import { paymentsOf } from "./harness/payments.ts";
import { type ScratchDatabase, scratchDatabase } from "./harness/scratch.ts";
import { tamper } from "./harness/tamper.ts";

const ABROAD = { mid: "SHOP1", mcc: "5411", name: "Shop", city: "Paris", country: "FR" };

/** Cards that were used in every way, as a service left them. */
let lives: ScratchDatabase;
beforeAll(async () => {
  lives = await scratchDatabase();
  const bank = await openBank({ FLORIN_DATABASE_URL: lives.url });
  const { client } = bank;
  const payments = paymentsOf(client);
  await payments.leaveMidnight();
  const post = async (path: string, body: object) => {
    const answer = await client.post(path, body);
    expect(answer.body).toMatchObject({ responseCode: "000" });
    return answer.body.data;
  };
  const buy = async (cardId: string, amount: number, more: object = {}): Promise<string> => {
    const { body } = await payments.buy(cardId, amount, more);
    expect(body.data).toMatchObject({ approved: true });
    return body.data.transactionId;
  };
  const { customerId } = (await verifyIndividual(client, bvn())).body.data;
  const retail = (initialBalance: number) => post("/cards/retail", { customerId, initialBalance });
  const used = await retail(500);
  await post("/cards/reissue", { customerId, sharedBalance: true, cardId: used.cardId });
  await buy(used.cardId, 200);
  await buy(used.cardId, 30, { currency: "EUR" });
  await payments.reverse(await buy(used.cardId, 20), { amount: 5 });
  await payments.refund(await buy(used.cardId, 10));
  await payments.settle(await buy(used.cardId, 10));
  const other = await retail(40);
  const transfer = { sourceCardId: used.cardId, beneficiaryCardId: other.cardId, amount: 3 };
  await post("/cards/transfers", transfer);
  // Nothing is left for the charge.
  await payments.settle(await buy(other.cardId, 43, { merchant: ABROAD }));
  const lite = await post("/cards/lite", { customerId, balance: 20, swipeCount: 3 });
  await payments.reverse(await buy(lite.cardId, 1));
  await buy(lite.cardId, 2);
  await post(`/cards/${(await retail(5)).cardId}/terminate`, {});
  await bank.stop();
});
afterAll(() => lives.drop());

async function problemsAfter(damage: string): Promise<string[]> {
  const database = await scratchDatabase(lives);
  const pool = createPool(database.url, 1);
  try {
    await tamper(pool, damage);
    return (await audit(pool)).problems;
  } finally {
    await pool.end();
    await database.drop();
  }
}

test("they hold", async () => {
  expect(await problemsAfter("select")).toEqual([]);
});

/** Changes what is kept of the card that was used most, or of the lite one. */
const miscount = (what: string, number: number, card = "spent") => `
  update accounts set kept = jsonb_set(kept::jsonb, '{counters,0,${what}}', '${number}')
   where account_id = (select account_id from cards
                        where ${card === "lite" ? "type = 'Lite'" : "shared_balance and not is_guest"})`;

const HOLD = "stage = 'Authorization' and billing_amount_minor = 20000";

test.each<[string, string, RegExp]>([
  [
    "an authorization that lost its hold, with its account",
    `update accounts set held_minor = held_minor - 20000
      where account_id = (select account_id from transactions where ${HOLD});
     update transactions set held_minor = 0 where ${HOLD}`,
    /^Transaction txn_\w+ \(org_\w+\) authorized 20000, of which 0 is reversed, but 0 is held\.$/,
  ],
  [
    "a hold of more than the payment, by an amount below zero",
    `update accounts set held_minor = held_minor + 5000
      where account_id = (select account_id from transactions where ${HOLD});
     update transactions set held_minor = 25000, reversed_minor = -5000 where ${HOLD}`,
    /^Transaction txn_\w+ .* 25000 is held, 0 settled, -5000 reversed and 0 refunded\.$/,
  ],
  [
    "an approval that was answered as a decline",
    `update transactions set response_code = '116' where ${HOLD}`,
    /^Transaction txn_\w+ \(org_\w+\) is at stage Authorization, but was answered 116\.$/,
  ],
  [
    "a hold that never expires",
    `update transactions set expires_at = null where ${HOLD}`,
    /^Transaction txn_\w+ \(org_\w+\) holds 20000, and never expires\.$/,
  ],
  [
    "a hold that the sweep has passed",
    `insert into hold_sweeps (organization_id, hold_days, swept_to)
     select organization_id, extract(epoch from expires_at - created_at) / 86400, 'txn_zzz'
       from transactions where ${HOLD}
     on conflict (organization_id, hold_days) do update set swept_to = 'txn_zzz'`,
    /^Transaction txn_\w+ \(org_\w+\) holds \d+, but holds of \d+ days are let go up to txn_zzz\.$/,
  ],
  [
    "a purchase in another currency without a rate",
    "update transactions set billing_rate = null where currency = 'EUR'",
    /^Transaction txn_\w+ \(org_\w+\) in EUR is billed in USD at the rate none\.$/,
  ],
  [
    "a purchase in the card's own currency with a rate",
    `update transactions set billing_rate = '1.5' where ${HOLD}`,
    /^Transaction txn_\w+ \(org_\w+\) in USD is billed in USD at the rate 1\.5\.$/,
  ],
  [
    "a transfer with one record",
    "delete from transactions where type = 'Transfer' and transaction_id <> transfer_id",
    /^Transfer txn_\w+ \(org_\w+\) has 1 records for its two accounts\.$/,
  ],
  [
    "a transfer whose records are of one account",
    `update transactions t set account_id = p.debit_account_id from postings p
      where t.type = 'Transfer' and p.kind = 'Transfer'`,
    /^Transfer txn_\w+ \(org_\w+\) has 2 records for its two accounts\.$/,
  ],
  [
    "money that moved, by its record, on another account",
    `update transactions set account_id = (select account_id from cards where type = 'Lite')
      where type = 'InitialFunding' and amount_minor = 50000`,
    /^Transaction txn_\w+ \(org_\w+\) says that it moved money of account acc_\w+, but its posting is about others\.$/,
  ],
  [
    "a message about a payment that is not there",
    "update network_messages set transaction_id = 'txn_gone' where request_type = 'Settlement'",
    /^Message \S+ \(org_\w+\), Settlement, is about transaction txn_gone, which does not exist\.$/,
  ],
  [
    "a line of a clearing file about a payment that is not there",
    `insert into clearing_lines
       (organization_id, line_reference, kind, transaction_id, outcome, is_posted, created_at)
     select organization_id, 'f1:1', 'Settlement', 'txn_gone', 'Matched', false, now() from organizations`,
    /^Line f1:1 \(org_\w+\) of a clearing file is about transaction txn_gone, which does not exist\.$/,
  ],
  [
    "a day on which less was spent than bought",
    miscount("spent", 0),
    /^Card card_\w+ \(org_\w+\) has spent 0 on day \d+ by its counter, but \d+ by its purchases\.$/,
  ],
  [
    "a day on which more was spent than bought",
    miscount("spent", 99_999_99),
    /^Card card_\w+ .* has spent 9999999 on day \d+ by its counter, but \d+ by its purchases\.$/,
  ],
  [
    "a day that has not come yet",
    miscount("day", 99_999),
    /^Card card_\w+ .* has spent \d+ on day 99999 by its counter, but 0 by its purchases\.$/,
  ],
  [
    "swipes that are forgotten",
    miscount("swipes", 0, "lite"),
    /^Card card_\w+ \(org_\w+\) counts 0 swipes, but made 2 purchases\.$/,
  ],
  [
    "an event that is in the feed twice, and another not at all",
    `update event_log set event_ids = (select event_ids from event_log order by entry_id limit 1)
      where entry_id = (select entry_id from event_log order by entry_id offset 1 limit 1)`,
    /^Event evt_\w+ \(org_\w+\) is not in the feed\.$/,
  ],
  [
    "a feed that names an event that is none",
    `update event_log set event_ids = 'evt_zzz'
      where entry_id = (select max(entry_id) from event_log where events = 1)`,
    /^Event evt_\w+ .* is not in the feed|^The feed of organization org_\w+ names event evt_zzz, which does not exist\.$/,
  ],
  [
    "a charge for a payment that another card made",
    `update cross_border_charges set transaction_id = (select transaction_id from transactions where ${HOLD})`,
    /^Charge chg_\w+ \(org_\w+\) is for payment txn_\w+, which is none of card card_\w+\.$/,
  ],
  [
    "a charge that is forgotten",
    "delete from cross_border_charges where status = 'Pending'",
    /^Event evt_\w+ \(org_\w+\) tells of charge chg_\w+, which does not exist\.$/,
  ],
])("the audit finds %s", async (_what, damage, expected) => {
  expect(await problemsAfter(damage)).toContainEqual(expect.stringMatching(expected));
});
