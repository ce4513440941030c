import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { auditedBooks } from "../../../test/harness/audited-books.ts";
import type { Books } from "../../../test/harness/books.ts";
import { openCard } from "../../../test/harness/cards.ts";
import { until } from "../../../test/harness/eventually.ts";
import { miscount } from "../../../test/harness/kept.ts";
import { lockWaiters } from "../../../test/harness/lock-waiters.ts";
import { tamper } from "../../../test/harness/tamper.ts";
import { createPool } from "../../db/pool.ts";
import { insertPostings } from "../postings.ts";
import { audit } from "./audit.ts";

let books: Books;
let organizationId: string;
let wallet: string;

auditedBooks((open) => {
  ({ books, organizationId, wallet } = open);
});

/** Three deposits that leave the wallet at 6.00. */
async function depositThrice(): Promise<void> {
  let balance = 0n;
  for (const [index, amountMinor] of [100n, 200n, 300n].entries()) {
    balance += amountMinor;
    const posting = {
      organizationId,
      entryId: `jrn_${index + 1}`,
      kind: "Deposit" as const,
      debitAccountId: "Deposits:USD",
      creditAccountId: wallet,
      amountMinor,
      currency: "USD" as const,
      debitBalanceMinor: null,
      creditBalanceMinor: balance,
    };
    await books.run(insertPostings([posting], new Date()));
  }
  await books.pool.query("update accounts set posted_minor = 600 where account_id = $1", [wallet]);
}

/** A card whose events have these numbers, as far as it knows without a gap. */
async function addEvents(...sequences: number[]): Promise<void> {
  await openCard(books.pool, organizationId, { cardId: "card_1" });
  await miscount(books.pool, "card_1", { events: sequences.length });
  await books.pool.query(
    "insert into event_log (organization_id, event_ids, events) values ($1, $2, $3)",
    [organizationId, sequences.map((_, index) => `evt_${index}`).join(" "), sequences.length],
  );
  for (const [index, sequence] of sequences.entries()) {
    await books.pool.query(
      `insert into events (organization_id, event_id, event_type, card_id, sequence, data, created_at)
       values ($1, $2, 'card.updated', 'card_1', $3, '{}', now())`,
      [organizationId, `evt_${index}`, sequence],
    );
  }
}

test("books without a posting hold", async () => {
  expect(await audit(books.pool)).toMatchObject({
    problems: [],
    events: 0n,
    currencies: [{ currency: "USD", postings: 0n, debitsMinor: 0n, ownedMinor: 0n }],
  });
});

test("good books hold, and the figures are theirs", async () => {
  await depositThrice();
  await addEvents(1, 2, 3);
  expect(await audit(books.pool)).toEqual({
    accounts: 5n,
    cards: 1n,
    events: 3n,
    pendingCharges: 0n,
    problems: [],
    currencies: [
      {
        currency: "USD",
        postings: 3n,
        debitsMinor: 600n,
        creditsMinor: 600n,
        ownedMinor: 600n,
        heldMinor: 0n,
      },
    ],
  });
});

test.each<[string, string, RegExp[]]>([
  [
    "an amount that was changed",
    "update postings set amount_minor = 250 where entry_id = 'jrn_2'",
    [/^Entry jrn_2 \(org_\w+\) left account wal_\w+ at 300, but .* add up to 350/],
  ],
  [
    "a posting that was removed",
    "delete from postings where entry_id = 'jrn_1'",
    [/^Entry jrn_2 .* left account wal_\w+ at 300, but .* add up to 200/],
  ],
  [
    "the last posting removed, which only the account still knows",
    "delete from postings where entry_id = 'jrn_3'",
    [/^Account wal_\w+ \(org_\w+\) says 600, but its postings add up to 300/],
  ],
  [
    "a posting slipped in that leaves the balance out",
    `insert into postings (organization_id, entry_id, kind, debit_account_id, credit_account_id,
       amount_minor, currency, created_at)
     select organization_id, 'jrn_4', kind, debit_account_id, credit_account_id, 5, currency, now()
       from postings where entry_id = 'jrn_1'`,
    [/^Account wal_\w+ .* says 600, but its postings add up to 605/],
  ],
  [
    "a balance that was changed",
    "update accounts set posted_minor = 601 where kind = 'Wallet'",
    [/^Account wal_\w+ .* says 601, but its postings add up to 600/],
  ],
  [
    "a running balance that was changed",
    "update postings set credit_balance_minor = 999 where entry_id = 'jrn_3'",
    [/^Entry jrn_3 .* at 999, but .* add up to 600/],
  ],
  [
    "a posting in a currency that is not its accounts'",
    "update postings set currency = 'EUR' where entry_id = 'jrn_2'",
    [/^Posting \d+ of entry jrn_2 .* does not fit its accounts/],
  ],
  [
    "a posting to an account that does not exist",
    "update postings set debit_account_id = 'Deposits:XXX' where entry_id = 'jrn_2'",
    [
      /^Posting \d+ of entry jrn_2 .* does not fit its accounts/,
      /^Debits and credits in USD differ/,
    ],
  ],
  [
    "a posting to an account that its kind has nothing to do with",
    "update postings set debit_account_id = 'Clearing:USD' where entry_id = 'jrn_2'",
    [/^Posting \d+ of entry jrn_2 .* does not fit its accounts/],
  ],
  [
    "a running balance that was removed",
    "update postings set credit_balance_minor = null where entry_id = 'jrn_3'",
    [/^Posting \d+ of entry jrn_3 .* does not fit its accounts/],
  ],
  [
    "a deposit that passes for an adjustment",
    "update postings set kind = 'Adjustment' where entry_id = 'jrn_2'",
    [/^Posting \d+ of entry jrn_2 \(org_\w+\) is an adjustment that nobody made\.$/],
  ],
  [
    "money held for nothing",
    "update accounts set held_minor = 7 where kind = 'Wallet'",
    [/^Account wal_\w+ .* holds 7 without an open authorization/],
  ],
])("finds %s", async (_what, damage, expected) => {
  await depositThrice();
  await tamper(books.pool, damage);
  const { problems } = await audit(books.pool);
  for (const pattern of expected) {
    expect(problems).toContainEqual(expect.stringMatching(pattern));
  }
});

test.each([
  ["does not begin at 1", [2, 3]],
  ["has a gap", [1, 3]],
  ["has a gap as wide as its repetitions", [1, 1, 3]],
])("finds a card whose event sequence %s", async (_what, sequences) => {
  await addEvents(...sequences);
  const { problems } = await audit(books.pool);
  expect(problems).toEqual([expect.stringMatching(/^The events of card card_1 .* have a gap/)]);
});

test("finds a card's event without a sequence", async () => {
  await addEvents(1, 2);
  await books.pool.query("update events set sequence = null where sequence = 2");
  const { problems } = await audit(books.pool);
  expect(problems).toEqual([expect.stringContaining("card_1")]);
});

test("of much damage, the first bad entry is named", async () => {
  await depositThrice();
  await tamper(books.pool, "update postings set credit_balance_minor = credit_balance_minor + 1");
  const { problems } = await audit(books.pool);
  expect(problems).toEqual([expect.stringContaining("Entry jrn_1 ")]);
});

test("takes as long as it must, whatever other statements of its pool are allowed", async () => {
  const hasty = createPool(books.url, 1);
  const holder = await books.pool.connect();
  try {
    await hasty.query("set statement_timeout = '100ms'");
    await holder.query("begin");
    await holder.query("lock table cross_border_charges in access exclusive mode");
    const report = audit(hasty);
    await Promise.race([report, pause(500)]);
    await holder.query("rollback");
    expect((await report).problems).toEqual([]);
    const { rows } = await hasty.query("show statement_timeout");
    expect(rows).toEqual([{ statement_timeout: "100ms" }]);
  } finally {
    await holder.query("rollback");
    holder.release();
    await hasty.end();
  }
});

test("sees one moment, whatever is committed meanwhile", async () => {
  await depositThrice();
  const writer = await books.pool.connect();
  try {
    await writer.query("begin");
    await writer.query("update accounts set posted_minor = 0 where kind = 'Wallet'");
    // The first statement has its snapshot and waits here; all others come after the commit.
    await writer.query("lock table cross_border_charges in access exclusive mode");
    const report = audit(books.pool);
    await until("it is under way", async () => (await lockWaiters(books.pool)) === 1);
    await writer.query("commit");
    expect((await report).problems).toEqual([]);
  } finally {
    await writer.query("rollback");
    writer.release();
  }
  expect((await audit(books.pool)).problems).not.toEqual([]);
});
