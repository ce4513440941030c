import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { auditedBooks } from "../../../test/harness/audited-books.ts";
import type { Books } from "../../../test/harness/books.ts";
import { holdMoney, oweCharge } from "../../../test/harness/burdens.ts";
import { openCard } from "../../../test/harness/cards.ts";
import { tamper } from "../../../test/harness/tamper.ts";
import type { Card } from "../../cards/card.ts";
import { reprocess } from "../../cards/charges/reprocess.ts";
import { type Post, post } from "../../clearing/post.ts";
import { Engine } from "../../engine/engine.ts";
import type { Owned } from "../../engine/table.ts";
import { ServiceClock } from "../../foundation/clock.ts";
import { newId } from "../../foundation/ids.ts";
import { adjust } from "../../wallets/adjustments/service.ts";
import { WalletIds } from "../../wallets/service.ts";
import { audit } from "./audit.ts";

let books: Books;
let organizationId: string;
let wallet: string;

auditedBooks((open) => {
  ({ books, organizationId, wallet } = open);
});

describe("cards and what hangs on them", () => {
  let card: Owned<Card>;
  let engine: Engine;

  /** A card with 2.00 of its 5.00 held, one charge collected and one not, and a wallet that was credited. */
  beforeEach(async () => {
    const { pool, url } = books;
    const clock = new ServiceClock();
    engine = new Engine({ connectionString: url, name: "t", lanes: 1, durable: false, clock });
    card = await openCard(pool, organizationId, { balanceMinor: 500n });
    await holdMoney(pool, card, 200n);
    await oweCharge(pool, card, 100n, { chargeId: "chg_1" });
    await oweCharge(pool, card, 900n, { chargeId: "chg_2" });
    const walletIds = new WalletIds(pool, clock);
    await adjust({ pool, clock, engine, walletIds }, organizationId, {
      reference: "bank-1",
      currency: "USD",
      amountMinor: 700n,
    });
    const input = { card, walletId: wallet, transactionIds: [newId("txn", 1), newId("txn", 2)] };
    await engine.run(reprocess, organizationId, input);
  });
  afterEach(() => engine.stop());

  test("hold, and are counted", async () => {
    expect(await audit(books.pool)).toMatchObject({
      accounts: 5n,
      cards: 1n,
      events: 2n,
      pendingCharges: 1n,
      problems: [],
      currencies: [{ heldMinor: 200n }],
    });
  });

  test.each<[string, string, RegExp]>([
    [
      "a card without an account",
      "update cards set account_id = 'acc_gone'",
      /^Card card_\w+ \(org_\w+\) spends from account acc_gone, which is no card account in USD\.$/,
    ],
    [
      "a card that spends from the wallet",
      "update cards set account_id = (select account_id from accounts where kind = 'Wallet')",
      /^Card card_\w+ .* spends from account wal_\w+, which is no card account in USD\.$/,
    ],
    [
      "a card in another currency than its account",
      "update cards set currency = 'EUR'",
      /^Card card_\w+ .* spends from account acc_\w+, which is no card account in EUR\.$/,
    ],
    [
      "a card of nobody",
      "update cards set customer_id = 'cus_gone'",
      /^Card card_\w+ .* belongs to customer cus_gone, who does not exist\.$/,
    ],
    [
      "a card account without a card",
      "insert into accounts select organization_id, 'acc_x', 'Card', 'USD', 0, 0, now() from organizations",
      /^Account acc_x \(org_\w+\) is a card account without a card\.$/,
    ],
    [
      "money that nobody can spend",
      `update cards set status = 'Terminated', termination_reason = 'Requested', terminated_at = now();
       update accounts set held_minor = 0 where kind = 'Card'`,
      /^Account acc_\w+ \(org_\w+\) has 400, which none of its cards can spend and its wallet was not paid\.$/,
    ],
    [
      "more held than authorized",
      "update accounts set held_minor = 201 where kind = 'Card'",
      /^Account acc_\w+ .* holds 201 without an open authorization for more than 200\.$/,
    ],
    [
      "less held than authorized",
      "update accounts set held_minor = 199 where kind = 'Card'",
      /^Account acc_\w+ .* holds 199, but its open authorizations add up to 200\.$/,
    ],
    [
      "an authorization that holds money of an account that is not there",
      "update transactions set account_id = 'acc_gone' where held_minor > 0",
      /^Account acc_\w+ .* holds 200 without|^Account acc_gone .* holds 0, but .* add up to 200\.$/,
    ],
    [
      "a card that was changed, but not in its account",
      "update cards set status = 'Frozen'",
      /^Account acc_\w+ \(org_\w+\) keeps other terms of card card_\w+ than the card has\.$/,
    ],
    [
      "an account that knows nothing of its card",
      "update accounts set kept = (kept::jsonb - 'terms')::json where kind = 'Card'",
      /^Account acc_\w+ .* keeps other terms of card card_\w+ than the card has\.$/,
    ],
    [
      "a reversal that came too early, and that purchases do not look for",
      `insert into unapplied_messages (organization_id, network_reference, request_type, card_id, response_code,
         original_key, created_at)
       select organization_id, 'N1', 'Reversal', card_id, '000', 'T1', '1970-01-11T23:59:59Z' from cards`,
      /^Card card_\w+ \(org_\w+\) was sent a reversal too early on day 10, but its account knows of day 0\.$/,
    ],
    [
      "a merchant that the account does not count",
      "insert into card_merchants select organization_id, card_id, 'Black', 'M1', false, now() from cards",
      /^Card card_\w+ \(org_\w+\) has 0 merchants on its whitelist and 1 on its blacklist, but its account counts \[0,\s?0\]\.$/,
    ],
    [
      "a card that counts more events than it has",
      "update accounts set kept = replace(kept::text, '\"events\":1', '\"events\":2')::json",
      /^Card card_\w+ \(org_\w+\) counts 2 events, but there are 1\.$/,
    ],
    [
      "a card without counters",
      "update accounts set kept = '{}' where kind = 'Card'",
      /^Card card_\w+ .* counts no events, but there are 1\.$/,
    ],
    [
      "the last event of a card lost, which leaves no gap",
      "delete from events where card_id is not null",
      /^Card card_\w+ .* counts 1 events, but there are 0\.$/,
    ],
    [
      "an event about a card that is not there",
      "update events set card_id = 'card_gone' where card_id is not null",
      /^Event evt_\w+ \(org_\w+\) is about card card_gone, which does not exist\.$/,
    ],
    [
      "an event about a payment that is not there",
      "update events set begins = 'txn_gone' where card_id is not null",
      /^Event evt_\w+ \(org_\w+\) tells of payment txn_gone, which does not exist\.$/,
    ],
    [
      "an event without a card lost, which no sequence counts",
      "delete from events where card_id is null",
      /^Organization org_\w+ has 1 events, but 2 are in its feed\.$/,
    ],
    [
      "events that the feed leaves out",
      "delete from event_log where entry_id = (select max(entry_id) from event_log)",
      /^Organization org_\w+ has 2 events, but 1 are in its feed\.$/,
    ],
    [
      "a hold that was reversed",
      "update transactions set stage = 'Reversal', reversed_minor = 200 where held_minor > 0",
      /^Transaction txn_\w+ \(org_\w+\) of 200, billed 200, is at stage Reversal, but 200 is held, 0 settled, 200 reversed and 0 refunded\.$/,
    ],
    [
      "a hold that was declined",
      "update transactions set approved = false where held_minor > 0",
      /^Transaction txn_\w+ .* of 200, billed 200, is at stage Authorization, but 200 is held/,
    ],
    [
      "a hold of more than was authorized",
      "update transactions set billing_amount_minor = 199 where held_minor > 0",
      /^Transaction txn_\w+ .* of 200, billed 199, is at stage Authorization, but 200 is held/,
    ],
    [
      "a payment of another amount than is billed in the same currency",
      "update transactions set amount_minor = 201 where held_minor > 0",
      /^Transaction txn_\w+ .* of 201, billed 200, is at stage Authorization/,
    ],
    [
      "a hold of what was settled",
      "update transactions set settled_minor = 1 where held_minor > 0",
      /^Transaction txn_\w+ .* of 200, billed 200, is at stage Authorization, but 200 is held, 1 settled/,
    ],
    [
      "a payment of another customer than its card",
      "update transactions set customer_id = 'cus_other' where held_minor > 0",
      /^Transaction txn_\w+ \(org_\w+\) does not fit its card card_\w+\.$/,
    ],
    [
      "a payment with a card that is not there",
      "update transactions set card_id = 'card_gone' where held_minor > 0",
      /^Transaction txn_\w+ \(org_\w+\) does not fit its card card_gone\.$/,
    ],
    [
      "a record that bills another amount than was moved",
      "update transactions set billing_amount_minor = 99 where type = 'CrossBorderCharge'",
      /^Transaction txn_\w+ \(org_\w+\) of 100, billed 99, is at stage Completed, but /,
    ],
    [
      "a charge that is collected in name only",
      "update cross_border_charges set status = 'Collected', collected_at = now() where charge_id = 'chg_2'",
      /^Charge chg_2 \(org_\w+\) of 900 is Collected, but 0 was collected for it\.$/,
    ],
    [
      "a charge that could be collected twice",
      "update cross_border_charges set status = 'Pending', collected_at = null where charge_id = 'chg_1'",
      /^Charge chg_1 .* of 100 is Pending, but 100 was collected for it\.$/,
    ],
    [
      "a charge of another amount than was collected",
      "update cross_border_charges set amount_minor = 99 where charge_id = 'chg_1'",
      /^Charge chg_1 .* of 99 is Collected, but 100 was collected for it\.$/,
    ],
    [
      "a charge of no card",
      "update cross_border_charges set card_id = 'card_gone' where charge_id = 'chg_2'",
      /^Charge chg_2 .* does not fit its card card_gone or its account acc_\w+\.$/,
    ],
    [
      "a charge on no account",
      "update cross_border_charges set account_id = 'acc_gone' where charge_id = 'chg_2'",
      /^Charge chg_2 .* does not fit its card card_\w+ or its account acc_gone\.$/,
    ],
    [
      "money collected for no charge",
      "delete from cross_border_charges where charge_id = 'chg_1'",
      /^Posting \d+ of entry chg_1 \(org_\w+\) collects a charge that does not exist\.$/,
    ],
    [
      "a record of another amount than was moved",
      "update transactions set amount_minor = 99 where type = 'CrossBorderCharge'",
      /^Transaction txn_\w+ \(org_\w+\) moved 99, but its postings say 100\.$/,
    ],
    [
      "money that moved without a record",
      "delete from transactions where type = 'CrossBorderCharge'",
      /^Transaction chg_1 .* moved 0, but its postings say 100\.$/,
    ],
    [
      "an adjustment of another amount than was moved",
      "update wallet_adjustments set amount_minor = 701",
      /^Adjustment bank-1 \(org_\w+\) of 701 is 700 in the journal\.$/,
    ],
    [
      "an adjustment that never happened",
      "update wallet_adjustments set entry_id = 'jrn_gone'",
      /^Adjustment bank-1 .* of 700 is 0 in the journal\.$/,
    ],
  ])("finds %s", async (_what, damage, expected) => {
    await tamper(books.pool, damage);
    const { problems } = await audit(books.pool);
    expect(problems).toContainEqual(expect.stringMatching(expected));
  });
});

describe("payments and debts", () => {
  let engine: Engine;

  /** A card that paid 5.00 more than it had, and got 1.00 back; another that is in credit. */
  beforeEach(async () => {
    const { pool, url } = books;
    const clock = new ServiceClock();
    engine = new Engine({ connectionString: url, name: "t", lanes: 1, durable: false, clock });
    const card = await openCard(pool, organizationId, { balanceMinor: 500n });
    await openCard(pool, organizationId, { balanceMinor: 500n, customerId: "cus_rich" });
    const payment = (type: "Settlement" | "Refund", amountMinor: bigint): Post => ({
      transactionId: newId("txn", clock.nowMs()),
      type,
      card,
      fundingAccountId: card.accountId,
      walletId: wallet,
      amountMinor,
      currency: "USD",
      billing: { amountMinor, rate: null },
      merchant: { mid: "SHOP1", mcc: "5999", name: "Shop", city: "Town", country: "US" },
      networkReference: newId("txn", clock.nowMs()),
      entryId: newId("jrn", clock.nowMs()),
      payoutTransactionId: newId("txn", clock.nowMs()),
    });
    await engine.run(post, organizationId, payment("Settlement", 1000n));
    await engine.run(post, organizationId, payment("Refund", 100n));
  });
  afterEach(() => engine.stop());

  test("hold", async () => {
    expect((await audit(books.pool)).problems).toEqual([]);
  });

  test.each<[string, string, RegExp]>([
    [
      "a payment that settled less than was paid",
      "update transactions set settled_minor = 999 where type = 'Settlement'",
      /^Transaction txn_\w+ \(org_\w+\) says that account acc_\w+ paid 999 and got 0 back, but its postings say 1000 and 0\.$/,
    ],
    [
      "a refund that never came",
      "update transactions set refunded_minor = 101 where type = 'Refund'",
      /^Transaction txn_\w+ .* paid 0 and got 101 back, but its postings say 0 and 100\.$/,
    ],
    [
      "a payment that another account paid",
      "update transactions set account_id = 'acc_other' where type = 'Settlement'",
      /^Transaction txn_\w+ .* says that account acc_\w+ paid/,
    ],
    [
      "a payment without a record",
      "delete from transactions where type = 'Settlement'",
      /^Transaction txn_\w+ .* paid 0 and got 0 back, but its postings say 1000 and 0\.$/,
    ],
    [
      "a debt that is forgotten, so that its customer gets new cards",
      "delete from customer_debts",
      /^Account acc_\w+ \(org_\w+\) is below zero, but is not noted as a debt of cus_\w+\.$/,
    ],
    [
      "a debt that is none, so that its customer gets no new card",
      `insert into customer_debts select organization_id, customer_id, account_id from cards
        where customer_id = 'cus_rich'`,
      /^Account acc_\w+ \(org_\w+\) is noted as a debt of cus_rich, but is not below zero\.$/,
    ],
  ])("are searched for %s", async (_what, damage, expected) => {
    await tamper(books.pool, damage);
    const { problems } = await audit(books.pool);
    expect(problems).toContainEqual(expect.stringMatching(expected));
  });
});

describe("a card that shares another's account", () => {
  beforeEach(async () => {
    const { accountId } = await openCard(books.pool, organizationId, { sharedBalance: true });
    await openCard(books.pool, organizationId, { accountId, sharedBalance: true });
  });

  test("is kept in an annex", async () => {
    const { problems } = await audit(books.pool);
    expect(problems).toEqual([]);
  });

  const OTHER_TERMS =
    /^Account acc_\w+ \(org_\w+\) keeps other terms of card card_\w+ than the card has\.$/;
  test.each<[string, string, RegExp]>([
    ["an annex that is gone", "delete from account_annexes", OTHER_TERMS],
    [
      "an annex of a card that was changed",
      "update cards set daily_limit_minor = 1 where is_guest",
      OTHER_TERMS,
    ],
    ["an annex of another account", "update account_annexes set account_id = 'acc_x'", OTHER_TERMS],
    [
      "an annex that is found under another id",
      "update account_annexes set annex_id = 'card_other'",
      OTHER_TERMS,
    ],
    [
      "an annex of no card",
      `insert into account_annexes
       select organization_id, 'card_gone', account_id, replace(kept::text, annex_id, 'card_gone')::json
         from account_annexes`,
      /^Account acc_\w+ \(org_\w+\) keeps other terms of card card_gone than the card has\.$/,
    ],
    [
      "counters that are kept twice",
      `update accounts a set kept = jsonb_set(a.kept::jsonb, '{counters,1}', x.kept::jsonb #> '{counters,0}')
         from account_annexes x where x.account_id = a.account_id`,
      /^Account acc_\w+ \(org_\w+\) counts for card card_\w+, which is not kept there\.$/,
    ],
    [
      "a card that is kept twice",
      `update accounts a set kept = jsonb_set(a.kept::jsonb, '{terms,1}', x.kept::jsonb #> '{terms,0}')
         from account_annexes x where x.account_id = a.account_id`,
      OTHER_TERMS,
    ],
    [
      "an account that does not know of its annexes",
      "update accounts set kept = (kept::jsonb - 'annexes')::json where kind = 'Card'",
      /^Account acc_\w+ \(org_\w+\) has annexes, but does not say so\.$/,
    ],
    [
      "an annex that counts other events than there are",
      "update account_annexes set kept = replace(kept::text, '\"events\":0', '\"events\":1')::json",
      /^Card card_\w+ \(org_\w+\) counts 1 events, but there are 0\.$/,
    ],
    [
      "merchants that an annex does not count",
      "insert into card_merchants select organization_id, card_id, 'White', 'M1', false, now() from cards where is_guest",
      /^Card card_\w+ \(org_\w+\) has 1 merchants on its whitelist and 0 on its blacklist, but its account counts \[0, 0\]\.$/,
    ],
  ])("is searched for %s", async (_what, damage, expected) => {
    await tamper(books.pool, damage);
    const { problems } = await audit(books.pool);
    expect(problems).toContainEqual(expect.stringMatching(expected));
  });
});
