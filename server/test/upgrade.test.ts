import { readdir, readFile } from "node:fs/promises";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { cardCounters, cardTerms } from "../src/cards/kept-tables.ts";
import type { Keeper } from "../src/engine/table.ts";
import { emptyDatabase } from "./harness/empty-database.ts";

const MIGRATIONS = new URL("../migrations/", import.meta.url);
const ORGANIZATION = "org_1";

let database: Awaited<ReturnType<typeof emptyDatabase>>;
let client: pg.Client;
beforeEach(async () => {
  database = await emptyDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

/** Applies the migrations from one on, up to and without another, each as it was released. */
async function apply({ from = "0000", before = "9999" }): Promise<void> {
  const names = (await readdir(MIGRATIONS)).sort();
  for (const name of names.filter((name) => name >= from && name < before)) {
    await client.query(await readFile(new URL(name, MIGRATIONS), "utf8"));
  }
}

async function rowsOf<Row extends object>(sql: string): Promise<Row[]> {
  return (await client.query<Row>(sql)).rows;
}

async function openOrganization(): Promise<void> {
  await client.query(
    "insert into organizations (organization_id, name, webhook_secret_sealed, created_at) values ($1, 'X', '', now())",
    [ORGANIZATION],
  );
}

async function openAccount(accountId: string, kind: string): Promise<void> {
  await client.query(
    `insert into accounts (organization_id, account_id, kind, currency, posted_minor, held_minor, created_at)
     values ($1, $2, $3, 'USD', 0, 0, now())`,
    [ORGANIZATION, accountId, kind],
  );
}

async function openCard(cardId: string, accountId: string): Promise<void> {
  await client.query(
    `insert into cards (organization_id, card_id, customer_id, account_id, type, status, programme_id, currency,
       brand, masked_pan, expiry_month, expiry_year, name_on_card, contactless_payment, white_listed_mccs,
       black_listed_mccs, shared_balance, metadata, created_at)
     values ($1, $2, 'cus_1', $3, 'Retail', 'Active', 'usd-us', 'USD', 'Visa', '411111******1111', 12, 2035,
       'ADA OBI', false, '[]', '[]', false, '{}', now())`,
    [ORGANIZATION, cardId, accountId],
  );
}

test("what cards had counted and what decides about them is kept in their accounts", async () => {
  await apply({ before: "0013" });
  await openOrganization();
  await openAccount("wal_1", "Wallet");
  await openAccount("acc_1", "Card");
  await openAccount("acc_2", "Card");
  await openCard("card_1", "acc_1");
  await openCard("card_2", "acc_1");
  await openCard("card_3", "acc_2");
  await client.query(
    `insert into card_counters (organization_id, card_id, event_sequence, swipes_used, spent_day, spent_minor,
       white_listed_mids)
     values ($1, 'card_1', 7, 3, 20000, 12345, 2), ($1, 'card_2', 1, 0, 0, 0, 0),
            ($1, 'card_3', 9007199254740991, 0, 20001, 9223372036854775807, 0)`,
    [ORGANIZATION],
  );
  await client.query(
    `insert into card_merchants (organization_id, card_id, list, mid, created_at)
     values ($1, 'card_1', 'White', 'M1', now()), ($1, 'card_1', 'White', 'M2', now()),
            ($1, 'card_1', 'Black', 'M3', now())`,
    [ORGANIZATION],
  );
  await client.query(
    `insert into unapplied_messages (organization_id, network_reference, request_type, card_id, response_code,
       original_key, created_at)
     values ($1, 'R1', 'Reversal', 'card_1', '000', 'T1', '2026-01-30T23:59:59Z'),
            ($1, 'R2', 'Reversal', 'card_1', '000', 'T2', '2026-01-31T23:59:59Z'),
            ($1, 'R3', 'Refund', 'card_1', '133', null, '2026-03-01T00:00:00Z')`,
    [ORGANIZATION],
  );
  await client.query(
    `update cards set type = 'Lite', status = 'Terminated', terminated_at = now(), contactless_payment = true,
            daily_limit_minor = 500, transaction_limit_minor = 1000000000, white_listed_mccs = '["5411","5812"]',
            black_listed_mccs = '["7995"]', swipe_count = 9 where card_id = 'card_3'`,
  );
  await apply({ from: "0013" });

  const keepers = await rowsOf<Keeper>(
    `select organization_id as "organizationId", account_id as "accountId", annex_id as "annexId", kept
       from (select organization_id, account_id, null as annex_id, kept from accounts
             union all select organization_id, account_id, annex_id, kept from account_annexes) keeper
      order by account_id, annex_id nulls first`,
  );
  const all = keepers.map(({ annexId, ...keeper }) => ({
    ...keeper,
    annexId: annexId ?? undefined,
  }));
  const counted = all.map((keeper) => cardCounters.inAccount?.read(keeper));
  const empty = {
    swipesUsed: 0,
    spentDay: 0,
    spentMinor: 0n,
    whiteListedMids: 0,
    blackListedMids: 0,
    earlyReversalDay: 0,
  };
  const first = { organizationId: ORGANIZATION, accountId: "acc_1", isGuest: false };
  const guest = { organizationId: ORGANIZATION, accountId: "acc_1", isGuest: true };
  const single = {
    organizationId: ORGANIZATION,
    accountId: "acc_2",
    cardId: "card_3",
    isGuest: false,
  };
  expect(counted).toEqual([
    [
      {
        ...first,
        cardId: "card_1",
        eventSequence: 7n,
        swipesUsed: 3,
        spentDay: 20_000,
        spentMinor: 12_345n,
        whiteListedMids: 2,
        blackListedMids: 1,
        earlyReversalDay: 20_484,
      },
    ],
    [{ ...guest, ...empty, cardId: "card_2", eventSequence: 1n }],
    [
      {
        ...single,
        ...empty,
        eventSequence: 9_007_199_254_740_991n,
        spentDay: 20_001,
        spentMinor: 9_223_372_036_854_775_807n,
      },
    ],
    [],
  ]);
  expect(all.map(({ kept }) => kept?.annexes)).toEqual([true, undefined, undefined, undefined]);
  expect(await rowsOf("select card_id as id from cards where is_guest")).toEqual([
    { id: "card_2" },
  ]);
  const plain = {
    status: "Active",
    expiryYear: 2035,
    expiryMonth: 12,
    contactlessPayment: false,
    dailyLimitMinor: null,
    transactionLimitMinor: null,
    whiteListedMccs: [],
    blackListedMccs: [],
    swipeCount: null,
  };
  expect(all.map((keeper) => cardTerms.inAccount?.read(keeper))).toEqual([
    [{ ...first, ...plain, cardId: "card_1" }],
    [{ ...guest, ...plain, cardId: "card_2" }],
    [
      {
        ...single,
        ...plain,
        status: "Terminated",
        contactlessPayment: true,
        dailyLimitMinor: 500n,
        transactionLimitMinor: 1_000_000_000n,
        whiteListedMccs: ["5411", "5812"],
        blackListedMccs: ["7995"],
        swipeCount: 9,
      },
    ],
    [],
  ]);
});
