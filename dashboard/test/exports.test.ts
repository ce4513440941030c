import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inviteAs, logInOwner, type SignedIn } from "../../server/test/harness/dashboard.ts";
import { describeInBrowser } from "./harness/chromium.ts";
import { Desk } from "./harness/desk.ts";
import { issueCard } from "./harness/seed.ts";

/** Rows of a CSV file as a spreadsheet reads them, by the names in its first line. */
function readCsv(text: string): Record<string, string>[] {
  const lines = text.split("\r\n").filter((line) => line !== "");
  const [head = [], ...rows] = lines.map((line) =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
      ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "",
    ),
  );
  return rows.map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at] ?? ""])));
}

/** What the button saves, and under which name. */
async function download(page: Page): Promise<{ name: string; rows: Record<string, string>[] }> {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export CSV" }).click(),
  ]);
  const rows = readCsv(await readFile(await file.path(), "utf8"));
  return { name: file.suggestedFilename(), rows };
}

const column = (rows: Record<string, string>[], name: string) => rows.map((row) => row[name]);

describeInBrowser("what people take away", () => {
  let desk: Desk;
  let finance: SignedIn;
  let owner: SignedIn;
  beforeAll(async () => {
    desk = await Desk.open();
    owner = await logInOwner(desk.service.sandbox);
    finance = await inviteAs(owner, "Finance", "finance@export.example");
  });
  afterAll(() => desk?.close());

  test("is what the list of transactions shows, and runs in no spreadsheet", async () => {
    const { client } = desk.service;
    const { cardId } = await issueCard(client, { initialBalance: 50 });
    await issueCard(client);
    const evil = '=HYPERLINK("http://evil.example","Refund, here")';
    for (const [name, amount] of [
      [evil, 12.5],
      ["@SUM(1+1)", 3],
      ["Corner Books, Austin", 999],
    ] as const) {
      const merchant = { mid: "SHOP1", mcc: "5942", name, city: "Austin", country: "US" };
      await client.post("/simulator/authorizations", { cardId, amount, merchant });
    }
    const tab = await desk.tab({ signedIn: finance.browser });
    const { page } = tab;
    await page.goto(`/transactions?cardId=${cardId}`);
    await page.getByRole("link", { name: "Corner Books, Austin" }).waitFor();
    const { name, rows } = await download(page);
    expect(name).toMatch(/^transactions-\d{4}-\d\d-\d\d\.csv$/);
    const listed = (await client.get(`/transactions?cardId=${cardId}&limit=100`)).body.data;
    expect(column(rows, "transactionId")).toEqual(
      listed.map(({ transactionId }: { transactionId: string }) => transactionId),
    );
    expect(column(rows, "merchantName")).toEqual([
      "Corner Books, Austin",
      "'@SUM(1+1)",
      `'${evil}`,
      "",
    ]);
    expect(column(rows, "amount")).toEqual(["999.00", "3.00", "12.50", "50.00"]);
    const shown = await page.getByRole("table").first().innerText();
    for (const text of ["$999.00", "$3.00", "$12.50", "$50.00"]) expect(shown).toContain(text);

    // Filtered, the file is filtered too.
    await page.getByLabel("Decision").selectOption("Declined");
    await page.getByRole("link", { name: "@SUM(1+1)" }).waitFor({ state: "hidden" });
    const declined = await download(page);
    expect(column(declined.rows, "merchantName")).toEqual(["Corner Books, Austin"]);
    expect(column(declined.rows, "stage")).toEqual(["Declined"]);
    await tab.close();
  });

  test("is what the ledger of a wallet shows", async () => {
    const { client } = desk.service;
    await client.post("/simulator/wallets/deposits", { currency: "EUR", amount: 70.25 });
    await client.post("/simulator/wallets/deposits", { currency: "EUR", amount: 9 });
    const wallets = (await client.get("/wallets")).body.data as Record<string, string>[];
    const walletId = wallets.find(({ currency }) => currency === "EUR")?.walletId;
    const tab = await desk.tab({ signedIn: finance.browser });
    const { page } = tab;
    await page.goto(`/wallets/${walletId}`);
    await page.getByText("€79.25").first().waitFor();
    const { name, rows } = await download(page);
    expect(name).toMatch(/^ledger-entries-/);
    const listed = (await client.get(`/wallets/${walletId}/entries?limit=100`)).body.data;
    expect(column(rows, "entryId")).toEqual(
      listed.map(({ entryId }: { entryId: string }) => entryId),
    );
    expect(column(rows, "amount")).toEqual(["9.00", "70.25"]);
    expect(column(rows, "balanceAfter")).toEqual(["79.25", "70.25"]);

    await page.getByLabel("From").fill("2199-01-01");
    await page.getByRole("cell", { name: "€70.25" }).first().waitFor({ state: "hidden" });
    expect((await download(page)).rows).toEqual([]);
    await tab.close();
  });

  test("is not for everybody, and is on record", async () => {
    const desktop = await desk.tab({ signedIn: owner.browser });
    await desktop.page.goto("/settings/audit");
    const taken = desktop.page.getByRole("row").filter({ hasText: "Finance Person" });
    await taken.filter({ hasText: "List transactions exported" }).first().waitFor();
    await taken.filter({ hasText: "List wallet entries exported" }).first().waitFor();
    await desktop.close();
    const support = await inviteAs(owner, "Support", "support@export.example");
    const tab = await desk.tab({ signedIn: support.browser });
    await tab.page.goto("/transactions");
    await tab.page.getByRole("link", { name: "Corner Books, Austin" }).waitFor();
    expect(await tab.page.getByRole("button", { name: "Export CSV" }).count()).toBe(0);
    await tab.close();
  });
});
