import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { searchInTurn } from "../src/db/searches.ts";
import { insertPostings } from "../src/ledger/postings.ts";
import { exportEntries } from "../src/wallets/entries/service.ts";
import { expectRefusal, TIMESTAMP, verdict } from "./harness/answers.ts";
import { type ApiClient, newReference } from "./harness/api-client.ts";
import { type Bank, openBank } from "./harness/bank.ts";
import { runStatements } from "./harness/statements.ts";

let bank: Bank;
beforeAll(async () => {
  bank = await openBank();
});
afterAll(() => bank.stop());

interface Entry {
  entryId: string;
  direction: string;
  amount: number;
  balanceAfter: number;
  createdAt: string;
}

const entries = (walletId: string, query = "", client = bank.client) =>
  client.get(`/wallets/${walletId}/entries${query}`);

async function csv(
  walletId: string,
  query = "",
  { client = bank.client, reference = newReference() } = {},
): Promise<{ status: number; type: string | null; text: string }> {
  const url = `${client.sandbox.apiUrl}/api/v1/wallets/${walletId}/entries${query}`;
  const headers = await client.headers("GET", url, { reference, headers: { Accept: "text/csv" } });
  const answer = await fetch(url, { headers });
  const type = answer.headers.get("content-type");
  return { status: answer.status, type, text: await answer.text() };
}

/** A wallet of an organization of its own, and somebody who uses it. */
async function openWallet(): Promise<{
  client: ApiClient;
  walletId: string;
  organizationId: string;
}> {
  const { client, organizationId } = await bank.foundAnother();
  const money = { currency: "EUR", amount: 100 };
  const { body } = await client.post("/simulator/wallets/deposits", money);
  return { client, organizationId, walletId: body.data.walletId };
}

describe("a line says what happened to the wallet:", () => {
  test("money in, money out, and what was left each time", async () => {
    const walletId = await bank.walletId();
    const { cardId } = await bank.open();
    const reference = newReference();
    const topUp = await bank.client.post(
      `/cards/${cardId}/top-up`,
      { amount: 25.5 },
      { reference },
    );
    const withdrawal = await bank.client.post(`/cards/${cardId}/withdraw`, { amount: 4 });
    const { status, body } = await entries(walletId);
    expect(status).toBe(200);
    expect(body.pagination).toEqual({ limit: 20, nextCursor: null });
    const [second, first, opening] = body.data;
    expect(first).toEqual({
      entryId: topUp.body.data.transactionId,
      walletId,
      kind: "TopUp",
      direction: "Debit",
      amount: 25.5,
      currency: "USD",
      balanceAfter: 99_974.5,
      transactionId: topUp.body.data.transactionId,
      reference,
      createdAt: expect.stringMatching(TIMESTAMP),
    });
    expect(second).toMatchObject({
      kind: "Withdrawal",
      direction: "Credit",
      amount: 4,
      balanceAfter: 99_978.5,
      transactionId: withdrawal.body.data.transactionId,
    });
    expect(opening).toMatchObject({ kind: "Deposit", direction: "Credit", balanceAfter: 100_000 });
    expect(opening).not.toHaveProperty("transactionId");
    expect(opening).not.toHaveProperty("reference");
  });
});

describe("pages:", () => {
  test("all lines, newest first, each once, whatever side they are on", async () => {
    const { client, walletId } = await openWallet();
    for (let n = 1; n <= 11; n++) {
      await client.post("/simulator/wallets/deposits", { currency: "EUR", amount: n });
    }
    const seen: Entry[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const query: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const { body } = await entries(walletId, `?limit=5${query}`, client);
      expect(body.data.length).toBeLessThanOrEqual(5);
      seen.push(...body.data);
      cursor = body.pagination.nextCursor;
    }
    expect(seen.map(({ amount }) => amount)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 100]);
    expect(seen[0]?.balanceAfter).toBe(166);
  });

  test("a line that comes in between moves no page", async () => {
    const { client, walletId } = await openWallet();
    const deposit = (amount: number) =>
      client.post("/simulator/wallets/deposits", { currency: "EUR", amount });
    await deposit(1);
    await deposit(2);
    const first = await entries(walletId, "?limit=1", client);
    await deposit(3);
    const { nextCursor } = first.body.pagination;
    const second = await entries(walletId, `?limit=1&cursor=${nextCursor}`, client);
    expect([first.body.data[0].amount, second.body.data[0].amount]).toEqual([2, 1]);
  });

  test.each([
    ["?limit=0", "400/131"],
    ["?limit=101", "400/131"],
    ["?cursor=abc", "400/131"],
    [`?cursor=${Buffer.from("9223372036854775807").toString("base64url")}`, "400/131"],
    [`?cursor=${Buffer.from("A".repeat(70)).toString("base64url")}`, "400/131"],
    ["?kind=TopUp", "400/131"],
    ["?from=yesterday", "400/132"],
    ["?from=2026-02-30", "400/132"],
    ["?from=2026-02-02&to=2026-02-01", "400/132"],
  ])("%s: %s", async (query, expected) => {
    expect(verdict(await entries(await bank.walletId(), query))).toBe(expected);
  });
});

test("a cursor tells nothing of how many lines others have, and is of use for its wallet only", async () => {
  const { client, walletId } = await openWallet();
  await client.post("/simulator/wallets/deposits", { currency: "EUR", amount: 1 });
  const cursors = new Set<string>();
  for (let n = 0; n < 2; n++) {
    const { nextCursor } = (await entries(walletId, "?limit=1", client)).body.pagination;
    expect(Buffer.from(nextCursor, "base64url").toString()).toMatch(/^[\w-]{70}$/);
    cursors.add(nextCursor);
  }
  expect(cursors.size).toBe(2);
  const [cursor = ""] = cursors;
  expect(verdict(await entries(walletId, `?cursor=${cursor}`, client))).toBe("200/000");
  const elsewhere = await entries(await bank.walletId(), `?cursor=${cursor}`);
  expectRefusal(elsewhere, "400/131");
  expect(elsewhere.body.errors).toEqual([
    { field: "cursor", message: "must be the nextCursor of an earlier page" },
  ]);
});

describe("by time:", () => {
  const DAYS = ["2090-03-01", "2090-03-02", "2090-03-03", "2090-03-04"];

  /**
   * After the deposit that opened the wallet (line 0), lines at noon of far days, with others of the
   * organization between them whose times are a little out of order.
   */
  async function openHistory() {
    const wallet = await openWallet();
    for (const [index, day] of DAYS.entries()) {
      for (const [offset, accountId] of ["Fees:EUR", wallet.walletId, "Clearing:EUR"].entries()) {
        const posting = {
          organizationId: wallet.organizationId,
          entryId: `jrn_${day}_${offset}`,
          kind: "Deposit" as const,
          debitAccountId: "Deposits:EUR",
          creditAccountId: accountId,
          amountMinor: 1n,
          currency: "EUR" as const,
          debitBalanceMinor: null,
          creditBalanceMinor: accountId === wallet.walletId ? 10_001n + BigInt(index) : null,
        };
        const at = new Date(`${day}T12:00:00.000Z`);
        at.setSeconds(20 - 10 * offset);
        await runStatements(bank.pool, insertPostings([posting], at));
      }
    }
    return wallet;
  }

  test.each<[string, string, number[]]>([
    ["everything", "", [4, 3, 2, 1, 0]],
    ["from a day", "?from=2090-03-03", [4, 3]],
    ["to a day, which is all of it", "?to=2090-03-02", [2, 1, 0]],
    ["between days", "?from=2090-03-02&to=2090-03-03", [3, 2]],
    ["from the moment itself", "?from=2090-03-04T12:00:10.000Z", [4]],
    ["from a moment later", "?from=2090-03-04T12:00:10.001Z", []],
    ["up to the moment, which is not in it", "?to=2090-03-01T12:00:10.000Z", [0]],
    ["up to a moment later", "?to=2090-03-01T12:00:10.001Z", [1, 0]],
    ["before all", "?to=2000-01-01", []],
    ["after all", "?from=2091-01-01", []],
  ])("%s", async (_what, query, expected) => {
    const { client, walletId } = await history();
    const { body } = await entries(walletId, query, client);
    const lines = body.data.map(({ entryId }: Entry) => lineOf(entryId));
    expect(lines).toEqual(expected);
    const file = await csv(walletId, query, { client });
    const inFile = file.text
      .split("\r\n")
      .slice(1, -1)
      .map((line) => lineOf(line.split(",")[0] ?? ""));
    expect(inFile).toEqual(lines);
  });

  const lineOf = (entryId: string): number => DAYS.indexOf(entryId.slice(4, 14)) + 1;
  let opened: ReturnType<typeof openHistory> | undefined;
  const history = () => {
    opened ??= openHistory();
    return opened;
  };
});

describe("wallets that are not there:", () => {
  test.each([["wal_x"], ["x"], ["wal_00000000000000000000000000"]])("%s", async (walletId) => {
    expectRefusal(await entries(walletId), "404/157");
    const file = await csv(walletId);
    expect([file.status, JSON.parse(file.text).responseCode]).toEqual([404, "157"]);
  });

  test("another organization's, and a card's account", async () => {
    const { client } = await openWallet();
    expectRefusal(await entries(await bank.walletId(), "", client), "404/157");
    const { accountId } = await bank.open();
    expectRefusal(await entries(accountId), "404/157");
  });
});

describe("as CSV:", () => {
  test("every line that matches, with a head, the same as in JSON", async () => {
    const { client, walletId } = await openWallet();
    const reference = '=1+"2",x';
    await client.post(
      "/simulator/wallets/deposits",
      { currency: "EUR", amount: 0.5 },
      { reference },
    );
    const { status, type, text } = await csv(walletId, "?limit=1", { client });
    expect([status, type]).toEqual([200, "text/csv; charset=utf-8"]);
    const { body } = await entries(walletId, "", client);
    const [second, first] = body.data;
    expect(text).toBe(
      [
        "entryId,walletId,kind,direction,amount,currency,balanceAfter,transactionId,reference,createdAt",
        `${second.entryId},${walletId},Deposit,Credit,0.50,EUR,100.50,,"'=1+""2"",x",${second.createdAt}`,
        `${first.entryId},${walletId},Deposit,Credit,100.00,EUR,100.00,,${first.reference},${first.createdAt}`,
        "",
      ].join("\r\n"),
    );
  });

  test("an empty wallet is a head", async () => {
    const walletId = await bank.walletId();
    const { text } = await csv(walletId, "?to=2000-01-01");
    expect(text).toMatch(/^entryId,[^\n]*\r\n$/);
  });

  test("thousands of lines come whole and in order", async () => {
    const { walletId, organizationId, client } = await openWallet();
    await addLines(organizationId, walletId, 3500);
    const { text } = await csv(walletId, "", { client });
    const balances = text
      .split("\r\n")
      .slice(1, -1)
      .map((line) => Number(line.split(",")[6]));
    expect(balances).toHaveLength(3501);
    expect(balances).toEqual([...balances].sort((a, b) => b - a));
  });

  test("a file that has begun waits for its next lines, however many searches wait already", async () => {
    const { pool } = bank;
    const { walletId, organizationId } = await openWallet();
    await addLines(organizationId, walletId, 1500);
    const file = await exportEntries(
      bank,
      { walletId, organizationId },
      { from: undefined, to: undefined },
    );
    const nobodyGoes = new AbortController().signal;
    const pieces = file(nobodyGoes)[Symbol.asyncIterator]();
    const lineCount = async (): Promise<number> =>
      (await pieces.next()).value?.match(/\r\n/g)?.length ?? 0;
    expect([await lineCount(), await lineCount()]).toEqual([1, 1000]);
    let endSearches = (): void => undefined;
    const untilTheEnd = new Promise<void>((resolve) => {
      endSearches = resolve;
    });
    const search = () => searchInTurn(pool, organizationId, () => untilTheEnd);
    const searches = Array.from({ length: 201 }, search);
    await expect(search()).rejects.toThrow("Too many searches are under way");
    const rest = lineCount();
    endSearches();
    expect(await rest).toBe(501);
    await Promise.all(searches);
  });

  test("its Reference is used up, though the answer has no envelope", async () => {
    const walletId = await bank.walletId();
    const reference = newReference();
    expect((await csv(walletId, "", { reference })).status).toBe(200);
    const again = await csv(walletId, "", { reference });
    expect([again.status, JSON.parse(again.text).responseCode]).toEqual([400, "139"]);
    const { body } = await bank.client.get(`/requests/${reference}`);
    expect(body.data).toMatchObject({ state: "Succeeded", httpStatus: 200, responseCode: "000" });
  });

  test("a mistake is told in JSON", async () => {
    const file = await csv(await bank.walletId(), "?from=x");
    expect([file.status, file.type]).toEqual([400, "application/json; charset=utf-8"]);
    expect(JSON.parse(file.text).responseCode).toBe("132");
  });

  test("a client that goes away in the middle harms nobody", async () => {
    const { walletId, organizationId, client } = await openWallet();
    await addLines(organizationId, walletId, 20_000);
    const url = `${client.sandbox.apiUrl}/api/v1/wallets/${walletId}/entries`;
    const headers = await client.headers("GET", url, { headers: { Accept: "text/csv" } });
    await new Promise<void>((resolve, reject) => {
      const call = request(url, { headers }, (answer) => {
        answer.once("data", () => {
          answer.destroy();
          resolve();
        });
        answer.on("error", () => undefined);
      });
      call.on("error", reject).end();
    });
    expect(verdict(await entries(walletId, "", client))).toBe("200/000");
  });
});

/** Lines of one cent each, straight into the journal. */
async function addLines(organizationId: string, walletId: string, count: number): Promise<void> {
  await bank.pool.query(
    `insert into postings (organization_id, entry_id, kind, debit_account_id, credit_account_id, amount_minor,
       currency, credit_balance_minor, created_at)
     select $1, 'jrn_' || n, 'Deposit', 'Deposits:EUR', $2, 1, 'EUR', 10000 + n, now()
       from generate_series(1, $3::int) n`,
    [organizationId, walletId, count],
  );
}
