import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPool } from "../../server/src/db/pool.ts";
import { newId } from "../../server/src/foundation/ids.ts";
import { logInOwner, type SignedIn } from "../../server/test/harness/dashboard.ts";
import { describeInBrowser } from "./harness/chromium.ts";
import { Desk } from "./harness/desk.ts";
import { issueCard } from "./harness/seed.ts";
import { soon } from "./harness/soon.ts";

/** More than the page keeps at a time. */
const EVENTS = 3_600;
const AGE_MS = 86_400_000;

/** Writes events of the sandbox's organization straight to the database, and gives their ids, newest first. */
async function seedEvents(databaseUrl: string): Promise<string[]> {
  const pool = createPool(databaseUrl, 1);
  const ids = Array.from({ length: EVENTS }, (_, n) =>
    newId("evt", Date.now() - AGE_MS - n * 1_000),
  );
  await pool.query(
    `insert into events (organization_id, event_id, event_type, data, created_at)
     select organization_id, event_id, 'wallet.deposited', '{}', now()
       from organizations cross join unnest($1::text[]) as event_id
      where sandbox_seed_sealed is not null`,
    [ids],
  );
  await pool.end();
  return ids;
}

const rowsOf = (page: Page) => page.locator("tbody tr[aria-rowindex]");

/** Scrolls down, page by page, until the list has so many rows. */
async function scrollTo(page: Page, rows: number): Promise<void> {
  const table = page.getByRole("table", { name: "Events" });
  await expect
    .poll(
      async () => {
        await page.mouse.wheel(0, 30_000);
        return Number(await table.getAttribute("aria-rowcount"));
      },
      { timeout: 60_000, interval: 50 },
    )
    .toBeGreaterThan(rows);
}

/** The first row that is wholly in sight, by the address it leads to. */
const rowInSight = (page: Page): Promise<string> =>
  page.evaluate(`[...document.querySelectorAll("tbody a")].find((link) =>
    link.getBoundingClientRect().top > 150)?.getAttribute("href") ?? ""`);

/** The same once nothing moves any more: a wheel turns on for a while, and pages come in meanwhile. */
async function rowAtRest(page: Page): Promise<string> {
  let row = "";
  const isAtRest = async () => {
    const before = row;
    row = await rowInSight(page);
    return row !== "" && row === before;
  };
  await expect.poll(isAtRest, { timeout: 30_000, interval: 1_000 }).toBe(true);
  return row;
}

/** Holds back what asks for the lists anew, until the second page of one has just been asked for. */
const refreshWhileAskingForMore = `{
  const { fetch, setTimeout } = window;
  const held = [];
  window.setTimeout = (work, ms, ...rest) => {
    if (ms !== 400) return setTimeout(work, ms, ...rest);
    return held.push(work);
  };
  window.fetch = (...request) => {
    const work = String(request[0]).includes("cursor=") ? held.splice(0) : [];
    if (work.length > 0) window.isCutOff = true;
    queueMicrotask(() => work.forEach((refresh) => refresh()));
    return fetch(...request);
  };
}`;

describeInBrowser("a long list", () => {
  let desk: Desk;
  let owner: SignedIn;
  let ids: string[];
  beforeAll(async () => {
    desk = await Desk.open();
    owner = await logInOwner(desk.service.sandbox);
    ids = await seedEvents(desk.service.databaseUrl);
  });
  afterAll(() => desk?.close());

  test("draws few rows, is gone back to where it was left, and finds its top again", async () => {
    const tab = await desk.tab({ signedIn: owner.browser });
    const { page } = tab;
    await page.goto("/events?type=wallet.deposited");
    await rowsOf(page).first().waitFor();
    await page.mouse.move(600, 500);
    await scrollTo(page, 3_400);
    expect(await rowsOf(page).count()).toBeLessThan(80);

    await page.mouse.wheel(0, -3_000);
    const left = await rowAtRest(page);
    expect(ids.indexOf(left.replace("/events/", ""))).toBeGreaterThan(3_000);
    await page.locator(`a[href="${left}"]`).click();
    await page.getByRole("heading", { level: 1, name: "wallet.deposited" }).waitFor();
    await page.goBack();
    await rowsOf(page).first().waitFor();
    await soon(() => rowInSight(page)).toBe(left);

    await page.evaluate("window.scrollTo(0, 0)");
    await page.locator(`a[href="/events/${ids[0]}"]`).waitFor();
    await tab.close();
  });

  test("is scrolled to its end without being kept on the page whole", async () => {
    const { client } = desk.service;
    const { cardId } = await issueCard(client, { initialBalance: 0 });
    for (let batch = 0; batch < 11; batch += 1) {
      const topUps = Array.from({ length: 20 }, () =>
        client.post(`/cards/${cardId}/top-up`, { amount: 1 }),
      );
      await Promise.all(topUps);
    }
    const tab = await desk.tab({ signedIn: owner.browser });
    const { page } = tab;
    await page.goto(`/transactions?cardId=${cardId}`);
    await page.getByRole("link", { name: "Top-up" }).first().waitFor();
    await expect
      .poll(
        async () => {
          await page.mouse.wheel(0, 20_000);
          return page.getByText("220 transactions", { exact: true }).count();
        },
        { timeout: 30_000 },
      )
      .toBe(1);
    expect(await page.locator("tbody tr").count()).toBeLessThan(80);
    await tab.close();
  });

  test("asks for more rows once more if the list was asked for anew at that moment", async () => {
    const tab = await desk.tab({ signedIn: owner.browser });
    const { page } = tab;
    await page.addInitScript(refreshWhileAskingForMore);
    await page.goto("/events?type=wallet.deposited");
    await rowsOf(page).first().waitFor();
    await page.mouse.move(600, 500);
    await scrollTo(page, 250);
    expect(await page.evaluate("window.isCutOff")).toBe(true);
    await tab.close();
  });
});
