import type { Route } from "playwright-core";
import { expect, test } from "vitest";
import { ApiClient } from "../../server/test/harness/api-client.ts";
import { inviteAs, type SignedIn } from "../../server/test/harness/dashboard.ts";
import { Decider } from "../../server/test/harness/decider.ts";
import { describeInBrowser } from "./harness/chromium.ts";
import type { Desk } from "./harness/desk.ts";
import { hasFocus, tabTo } from "./harness/keyboard.ts";
import { ownerDesk } from "./harness/owner-desk.ts";
import { issueCard } from "./harness/seed.ts";
import { soon } from "./harness/soon.ts";

describeInBrowser("somebody at work", () => {
  let desk: Desk;
  let owner: SignedIn;
  ownerDesk((open) => {
    ({ desk, owner } = open);
  });

  test("sees a purchase the moment it happens, and why another was declined", async () => {
    const { client } = desk.service;
    const { cardId } = await issueCard(client, { initialBalance: 50 });
    const tab = await desk.tab({ signedIn: owner.browser });
    const { page } = tab;
    await page.goto(`/transactions?cardId=${cardId}`);
    await page.getByRole("link", { name: "Initial funding" }).waitFor();

    const merchant = {
      mid: "BOOKS1",
      mcc: "5942",
      name: "Corner Books",
      city: "Austin",
      country: "US",
    };
    await client.post("/simulator/authorizations", { cardId, amount: 20, merchant });
    await page.getByRole("link", { name: "Corner Books" }).waitFor();

    const rich = { ...merchant, mid: "JEWELS1", name: "Jewels" };
    await client.post("/simulator/authorizations", { cardId, amount: 999, merchant: rich });
    await page.getByRole("link", { name: "Jewels" }).click();
    await page.getByText("Declined: Insufficient funds (116)").waitFor();
    await page.getByText("Top up the card").waitFor();
    const failed = page.getByRole("listitem").filter({ hasText: "Enough money is available" });
    expect(await failed.innerText()).toContain("Failed (116)");
    await tab.close();
  });

  test("reads large figures in one piece, on a desk and on a phone", async () => {
    const { client } = desk.service;
    const { body } = await client.post("/simulator/wallets/deposits", {
      currency: "USD",
      amount: 10_000_000,
    });
    await issueCard(client, { initialBalance: 8_888_888.88 });
    const tab = await desk.tab({ signedIn: owner.browser });
    const { page } = tab;
    const figures = page.locator("td .figures:visible");
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      for (const path of ["/cards", "/transactions", `/wallets/${body.data.walletId}`]) {
        await page.goto(path);
        await figures
          .filter({ hasText: /8,888,888\.88/ })
          .first()
          .waitFor();
        const broken = await figures.evaluateAll((all) =>
          all.filter((each) => each.getClientRects().length > 1).map((each) => each.textContent),
        );
        expect([width, path, broken]).toEqual([width, path, []]);
      }
    }
    await tab.close();
  });

  test("reads on a phone whose card it is and when money came and went", async () => {
    const { client } = desk.service;
    await issueCard(client, { nameOnCard: "POCKET MONEY" });
    const [{ walletId }] = (await client.get("/wallets")).body.data;
    const tab = await desk.tab({ signedIn: owner.browser, viewport: { width: 390, height: 844 } });
    const { page } = tab;
    await page.goto("/cards");
    await page.getByRole("link", { name: "POCKET MONEY" }).waitFor();
    await page.goto(`/wallets/${walletId}`);
    await page
      .getByRole("row", { name: "Initial funding" })
      .locator("time:visible")
      .first()
      .waitFor();
    await tab.close();
  });

  test("reads an address for e-mail in one line", async () => {
    const tab = await desk.tab({ signedIn: owner.browser });
    const { page } = tab;
    await page.goto("/settings/profile");
    const address = page.getByText(owner.email, { exact: true });
    await address.waitFor();
    const lines = await address.evaluate((element) => {
      const text = element.ownerDocument.createRange();
      text.selectNodeContents(element);
      return text.getClientRects().length;
    });
    expect(lines).toBe(1);
    await tab.close();
  });

  test("sees how much was settled and refunded, where that is not what was asked for", async () => {
    const { client } = desk.service;
    const { cardId } = await issueCard(client, { initialBalance: 50 });
    const bought = await client.post("/simulator/authorizations", { cardId, amount: 10 });
    const { transactionId } = bought.body.data;
    await client.post(`/simulator/transactions/${transactionId}/settle`, { amount: 45.25 });
    const tab = await desk.tab({ signedIn: owner.browser });
    const { page } = tab;
    await page.goto(`/transactions?cardId=${cardId}`);
    await page.getByText("$45.25 settled").waitFor();
    await page.goto(`/transactions/${transactionId}`);
    await page.getByText("Settled above what was authorized").waitFor();
    await tab.close();
  });

  test("keeps the dashboard when the network is gone and a screen cannot be fetched", async () => {
    const tab = await desk.tab({ signedIn: owner.browser });
    const { page } = tab;
    await page.goto("/settings/profile");
    await page.getByRole("heading", { name: "Your profile" }).waitFor();
    await tab.context.setOffline(true);
    const navigation = page.getByRole("navigation", { name: "Main" });
    await navigation.getByRole("link", { name: "Audit log" }).click();
    await page.getByText("The service did not answer").waitFor();
    await tab.context.setOffline(false);
    await navigation.getByRole("link", { name: "Team" }).click();
    await page.getByRole("heading", { name: "Team" }).waitFor();
    // The console is told why the screen is not there: for once, nobody minds.
    await tab.context.close();
  });

  test("sees what happened before its screen was told of anything", async () => {
    const { client } = desk.service;
    const { cardId } = await issueCard(client);
    const tab = await desk.tab({ signedIn: owner.browser });
    const { page } = tab;
    const asked = new Promise<Route>((hold) => page.route("**/dashboard/live", hold));
    await page.goto(`/transactions?cardId=${cardId}`);
    await page.getByRole("link", { name: "Initial funding" }).waitFor();
    const merchant = { mid: "BAKER1", mcc: "5462", name: "Baker", city: "Austin", country: "US" };
    await client.post("/simulator/authorizations", { cardId, amount: 1, merchant });
    await (await asked).continue();
    await page.getByRole("link", { name: "Baker" }).waitFor();
    await tab.close();
  });

  test("sees which card each payment is of, and goes there", async () => {
    const { client } = desk.service;
    const cards = [await issueCard(client), await issueCard(client)] as const;
    const [{ cardId, maskedPan }] = cards;
    const tab = await desk.tab({ signedIn: owner.browser, viewport: { width: 1280, height: 900 } });
    const { page } = tab;
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/dashboard/card-names")) asked.push(request.url());
    });
    const linkOf = (card: { cardId: string }) =>
      page.locator(`tbody a[href="/cards/${card.cardId}"]`).first();
    await page.goto("/transactions");
    for (const card of cards) {
      expect(await linkOf(card).innerText()).toBe(`•••• ${card.maskedPan.slice(-4)}`);
    }
    const merchant = { mid: "KIOSK1", mcc: "5994", name: "Kiosk", city: "Austin", country: "US" };
    await client.post("/simulator/authorizations", { cardId, amount: 1, merchant });
    const row = page.getByRole("row").filter({ hasText: "Kiosk" });
    await row.locator(`a[href="/cards/${cardId}"]`).waitFor();
    // All rows together cost one request, and a card that is known none.
    expect(asked).toHaveLength(1);

    await page.setViewportSize({ width: 390, height: 844 });
    const inShort = new RegExp(`^Kiosk\\s*•••• ${maskedPan.slice(-4)}$`);
    await page.getByRole("link", { name: inShort }).waitFor();
    await page.setViewportSize({ width: 1280, height: 900 });
    await row.locator(`a[href="/cards/${cardId}"]`).click();
    await page.getByRole("heading", { name: maskedPan.slice(-4) }).waitFor();
    // Where all are of one card, none is named.
    for (const path of [`/cards/${cardId}`, `/transactions?cardId=${cardId}`]) {
      await page.goto(path);
      await page.getByRole("link", { name: "Kiosk", exact: true }).waitFor();
      expect(await page.getByRole("columnheader", { name: "Card" }).count()).toBe(0);
    }
    // Without a column for the time, it stands below the name.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("link", { name: /^Kiosk .*\d{2}:\d{2}/ }).waitFor();
    await page.setViewportSize({ width: 1280, height: 900 });

    // A card whose digits nobody tells is still a link.
    await page.route("**/dashboard/card-names*", (route) =>
      route.fulfill({ status: 503, json: { responseCode: "170" } }),
    );
    await page.goto("/transactions");
    expect(await linkOf(cards[1]).innerText()).toBe(`card_…${cards[1].cardId.slice(-4)}`);
    await tab.close();
  });

  test("reads every amount whole, however narrow the screen", async () => {
    const { client } = desk.service;
    const { cardId } = await issueCard(client);
    await client.post("/simulator/authorizations", { cardId, amount: 9_999_999.99 });
    const tab = await desk.tab({ signedIn: owner.browser });
    const { page } = tab;
    const figure = page.getByRole("cell").getByText("$9,999,999.99");
    const isWhole = () =>
      figure.evaluate((element) => {
        const { scrollWidth = 0, clientWidth = 0 } = element.closest("td") ?? {};
        return scrollWidth <= clientWidth && element.getClientRects().length === 1;
      });
    for (const path of ["/transactions", "/"]) {
      await page.goto(path);
      await figure.waitFor();
      for (const width of [360, 400, 577, 800, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await isWhole(), `${path}, ${width} px wide`).toBe(true);
        // A narrow screen has no column for the stage, and still tells it.
        const row = page.getByRole("row").filter({ has: figure });
        expect((await row.innerText()).match(/Declined/g)).toHaveLength(1);
      }
    }
    await tab.close();
  });

  test("sees dollars first among currencies that have money", async () => {
    await desk.service.client.post("/simulator/wallets/deposits", { currency: "JPY", amount: 100 });
    const tab = await desk.tab({ signedIn: owner.browser });
    await tab.page.goto("/");
    const inWallets = tab.page.getByRole("link", { name: /^In wallets/ });
    await inWallets.getByText("JPY").waitFor();
    expect(await inWallets.innerText()).toMatch(/^In wallets\s+\$/);
    await tab.close();
  });

  test("tops up, freezes, and buys at the virtual terminal", async () => {
    const { cardId } = await issueCard(desk.service.client, { initialBalance: 10 });
    const tab = await desk.tab({ signedIn: owner.browser });
    const { page } = tab;
    await page.goto(`/cards/${cardId}`);
    await page.getByRole("button", { name: "Top up" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Amount in USD").fill("15.50");
    await dialog.getByRole("button", { name: "Top up" }).click();
    await page.getByText("$25.50").first().waitFor();
    await page.getByRole("button", { name: "Actions" }).click();
    await page.getByRole("menuitem", { name: "Freeze" }).click();
    await page.getByRole("button", { name: "Freeze the card" }).click();
    await page.getByRole("heading", { level: 1 }).getByText("Frozen").waitFor();

    await page.goto(`/sandbox/terminal?cardId=${cardId}`);
    await page.getByRole("button", { name: "Buy" }).click();
    await page.getByText("The card was frozen.").waitFor();
    await tab.close();
  });

  test("shows a card's full number on purpose only, and the audit log tells", async () => {
    const { cardId } = await issueCard(desk.service.client);
    const secure = await desk.service.client.get(`/cards/${cardId}/secure`);
    const pan = secure.body.data.pan as string;
    const tab = await desk.tab({ signedIn: owner.browser });
    const { page } = tab;
    await page.goto(`/cards/${cardId}`);
    await page.getByRole("button", { name: "Show the full number" }).waitFor();
    const bare = async () => (await page.locator("body").innerText()).replaceAll(/\s/g, "");
    expect(await bare()).not.toContain(pan);
    await page.getByRole("button", { name: "Show the full number" }).click();
    await page.getByRole("button", { name: "Show for 30 seconds" }).click();
    await page.getByRole("button", { name: "Hide" }).waitFor();
    expect(await bare()).toContain(pan);
    await page.getByRole("button", { name: "Hide" }).click();
    expect(await bare()).not.toContain(pan);

    // A computer that sleeps for a minute lets no timer tick meanwhile.
    await page.getByRole("button", { name: "Show the full number" }).click();
    await page.getByRole("button", { name: "Show for 30 seconds" }).click();
    await page.getByRole("button", { name: "Hide" }).waitFor();
    await page.evaluate(`{ const now = Date.now; Date.now = () => now() + 60_000; }`);
    await page.evaluate(`document.dispatchEvent(new Event("visibilitychange"))`);
    await page.getByRole("button", { name: "Hide" }).waitFor({ state: "hidden", timeout: 5_000 });
    expect(await bare()).not.toContain(pan);

    await page.goto("/settings/audit");
    await page.getByRole("cell", { name: cardId }).first().waitFor();
    await tab.close();
  });

  test("reads in the audit log, as it happens, what was refused and what was changed", async () => {
    const { cardId } = await issueCard(desk.service.client);
    const tab = await desk.tab({ signedIn: owner.browser });
    const { page } = tab;
    await page.goto("/settings/audit");
    await page.getByRole("table", { name: "Audit log" }).waitFor();
    await owner.browser.post(`/api/v1/cards/${cardId}/regularize`, {});
    const body = { cardLimits: { dailyLimit: 75 }, metadata: { note: "hush" } };
    await owner.browser.call("PATCH", `/api/v1/cards/${cardId}`, { body });

    // Nobody reloads the page.
    const regularized = page.getByRole("row", { name: /Regularize card/ }).first();
    await regularized.getByText("Refused: 119").last().waitFor();
    expect(await regularized.innerText()).toContain("Transaction not permitted");
    const opener = page.getByRole("button", { name: /^Change card/ }).first();
    await tabTo(page, opener);
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Change card" });
    await dialog.getByText("cardLimits, metadata").waitFor();
    await dialog.getByText("daily limit 75").waitFor();
    expect(await dialog.innerText()).toMatch(/Sandbox Owner[\s\S]*127\.0\.0\.1/);
    expect(await dialog.innerText()).not.toContain("hush");
    await page.keyboard.press("Escape");
    await soon(() => hasFocus(opener)).toBe(true);
    await page.keyboard.press("Enter");
    await dialog.getByRole("link", { name: cardId }).click();
    await page.getByRole("heading", { name: "Balance" }).waitFor();
    expect(page.url()).toContain(cardId);
    await tab.close();
  });

  test("finds a card with the keyboard alone", async () => {
    const { cardId, maskedPan } = await issueCard(desk.service.client);
    const tab = await desk.tab({ signedIn: owner.browser });
    const { page } = tab;
    // The palette comes by itself, and still whoever types at once need not wait for it.
    const isPalette = /\/assets\/palette-dialog.*\.js/;
    let letThrough: () => void = () => undefined;
    const isTyped = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    await page.route(isPalette, async (route) => {
      await isTyped;
      await route.continue();
    });
    const asked = page.waitForRequest(isPalette);
    await page.goto("/");
    await page.getByRole("heading", { name: "Home" }).waitFor();
    await asked;
    await page.keyboard.press("Control+k");
    await page.keyboard.type(maskedPan.slice(-4));
    letThrough();
    await page
      .getByRole("option", { name: new RegExp(maskedPan.slice(-4)) })
      .first()
      .waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: maskedPan.slice(-4) }).waitFor();
    expect(page.url()).toContain(cardId);
    await tab.close();
  });

  test("with the role of a Viewer has nothing to change things with", async () => {
    const { cardId } = await issueCard(desk.service.client);
    const viewer = await inviteAs(owner, "Viewer", "viewer@sandbox.example");
    const tab = await desk.tab({ signedIn: viewer.browser });
    const { page } = tab;
    await page.goto(`/cards/${cardId}`);
    await page.getByRole("heading", { name: "Balance" }).waitFor();
    expect(await page.getByRole("button", { name: "Top up" }).count()).toBe(0);
    expect(await page.getByRole("button", { name: "Show the full number" }).count()).toBe(0);
    expect(await page.getByRole("link", { name: "Credentials" }).count()).toBe(0);
    // A door found by its address is closed too.
    await page.goto("/settings/credentials");
    await page.getByRole("heading", { name: "Not for your role" }).waitFor();
    await tab.close();
  });

  test("rotates the credentials, and the new secret works against the API", async () => {
    const tab = await desk.tab({ signedIn: owner.browser });
    const { page } = tab;
    await page.goto("/settings/credentials");
    await page.getByRole("button", { name: "Rotate", exact: true }).click();
    await page.getByRole("dialog").getByLabel("Overlap in hours").fill("1");
    await page.getByRole("button", { name: "Make a new secret" }).click();
    const shown = page.getByRole("status").filter({ hasText: "Your clientSecret" }).locator("code");
    const clientSecret = await shown.innerText();
    expect(clientSecret).not.toBe(desk.service.sandbox.clientSecret);
    await page.getByText("Expiring").waitFor();
    const renewed = new ApiClient({ ...desk.service.sandbox, clientSecret });
    const { status } = await renewed.get("/wallets");
    expect(status).toBe(200);
    await tab.close();
  });

  test("sets an authorization URL, tests it, and goes back", async () => {
    const decider = await Decider.start();
    const tab = await desk.tab({ signedIn: owner.browser });
    const { page } = tab;
    await page.goto("/settings/authorization");
    await page.getByText("We decide").click();
    await page.getByLabel("Authorization URL").fill("nonsense");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("main").getByRole("alert").waitFor();
    expect(await page.getByLabel("Authorization URL").getAttribute("aria-invalid")).toBe("true");
    await page.getByLabel("Authorization URL").fill(decider.url);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Test my endpoint" }).click();
    await page.getByText(/^\d+ ms of 400 ms$/).waitFor();
    expect(decider.questions.length).toBe(1);
    await page.getByText("The service decides").click();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The settings are saved and in force").last().waitFor();
    await tab.close();
    decider.stop();
  });
});
