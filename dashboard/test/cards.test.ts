import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Authenticator, logInOwner, type SignedIn } from "../../server/test/harness/dashboard.ts";
import { describeInBrowser } from "./harness/chromium.ts";
import { Desk } from "./harness/desk.ts";
import { hasFocus, tabTo } from "./harness/keyboard.ts";
import { issueCard } from "./harness/seed.ts";
import { soon } from "./harness/soon.ts";

/** Chooses something from the card's menu. */
async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole("button", { name: "Actions" }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

const stands = (page: Page, status: string) =>
  page.getByRole("heading", { level: 1 }).getByText(status).waitFor();

const available = (page: Page, amount: string) =>
  page.getByRole("region", { name: "Balance" }).getByText(amount).first().waitFor();

const bareText = async (page: Page): Promise<string> =>
  (await page.locator("body").innerText()).replaceAll(/\s/g, "");

/** Keeps questions from the service until it is called. */
async function holdBack(page: Page, address: RegExp): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** No merchant id, and nowhere in it ends a line. */
const ENDLESS = "M".repeat(200);

/** Goes somewhere within the page, as the palette does, so that what it remembers stays. */
async function find(page: Page, words: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill(words);
  await page.getByRole("option", { name: words }).first().waitFor();
  await page.keyboard.press("Enter");
}

describeInBrowser("whoever looks after cards", () => {
  let desk: Desk;
  let owner: SignedIn;
  let app: Authenticator;
  beforeAll(async () => {
    desk = await Desk.open();
    app = new Authenticator(desk.service.sandbox.dashboard.totpSecret);
    owner = await logInOwner(desk.service.sandbox, app);
  });
  afterAll(() => desk?.close());

  /** What becomes of a purchase: its response code. */
  async function buy(cardId: string, amount: number, mid: string): Promise<string> {
    const merchant = { mid, mcc: "5942", name: "Books", city: "Austin", country: "US" };
    const order = { cardId, amount, merchant };
    const { body } = await desk.service.client.post("/simulator/authorizations", order);
    return body.data.responseCode;
  }

  test("freezes and unfreezes, and sets limits and lists that hold", async () => {
    const { cardId } = await issueCard(desk.service.client);
    const tab = await desk.tab({ signedIn: owner.browser });
    const { page } = tab;
    await page.goto(`/cards/${cardId}`);
    await choose(page, "Freeze");
    await page.getByRole("button", { name: "Freeze the card" }).click();
    await stands(page, "Frozen");
    expect(await buy(cardId, 1, "ANY1")).toBe("141");
    await choose(page, "Unfreeze");
    await page.getByRole("button", { name: "Unfreeze the card" }).click();
    await stands(page, "Active");
    expect(await buy(cardId, 1, "ANY1")).toBe("000");

    await page.getByRole("tab", { name: "Controls" }).click();
    await page.getByLabel("Limit per transaction in USD").fill("20");
    await page.getByRole("button", { name: "Save the controls" }).click();
    await page.getByText("The controls are saved").waitFor();
    expect(await buy(cardId, 20.01, "ANY1")).toBe("129");

    const blocked = page.getByLabel("Never at these merchants: merchant ids to add");
    await blocked.fill(`BAD1, ???, ${ENDLESS}`);
    await blocked.press("Enter");
    // What was refused stays, to be mended.
    await page.getByText("BAD1 added", { exact: true }).waitFor();
    await page.getByText(`Not added: ???, ${ENDLESS}. A merchant id is`).waitFor();
    expect(await blocked.inputValue()).toBe(`???, ${ENDLESS}`);
    expect(await page.evaluate("document.body.scrollWidth <= window.innerWidth")).toBe(true);
    expect(await blocked.getAttribute("aria-invalid")).toBe("true");
    await blocked.fill("");
    expect(await blocked.getAttribute("aria-invalid")).not.toBe("true");
    expect(await buy(cardId, 2, "BAD1")).toBe("186");
    await page.getByRole("button", { name: "Let BAD1 pass once" }).click();
    await page.getByText("BAD1 may pass once").waitFor();
    expect(await buy(cardId, 2, "BAD1")).toBe("000");
    expect(await buy(cardId, 2, "BAD1")).toBe("186");
    await page.getByRole("button", { name: "Remove BAD1" }).click();
    await page.getByText("No merchant is blocked.").waitFor();

    const allowed = page.getByLabel("Only at these merchants: merchant ids to add");
    await allowed.fill("GOOD1");
    await allowed.press("Enter");
    await page.getByRole("button", { name: "Remove GOOD1" }).waitFor();
    expect(await buy(cardId, 2, "BAD1")).toBe("125");
    expect(await buy(cardId, 2, "GOOD1")).toBe("000");
    await page.getByRole("button", { name: "Remove GOOD1" }).click();
    await page.getByText("No restriction").waitFor();
    expect(await buy(cardId, 2, "BAD1")).toBe("000");
    await tab.close();
  });

  test("learns that it was done when an answer was lost and it is tried again", async () => {
    const { cardId } = await issueCard(desk.service.client);
    const tab = await desk.tab({ signedIn: owner.browser });
    const { page } = tab;
    await page.goto(`/cards/${cardId}`);
    await page.getByRole("tab", { name: "Controls" }).click();
    const path = "**/merchants/blacklist";
    await page.route(path, async (route) => {
      await route.fetch();
      await route.abort();
    });
    const blocked = page.getByLabel("Never at these merchants: merchant ids to add");
    await blocked.fill("BAD1");
    await blocked.press("Enter");
    await page.getByText("That did not work").waitFor();
    await page.unroute(path);
    await blocked.press("Enter");
    await page.getByText("It is done").waitFor();
    await page.getByRole("button", { name: "Remove BAD1" }).waitFor();
    expect(await blocked.inputValue()).toBe("");

    // The same again is another intention.
    await page.getByRole("button", { name: "Remove BAD1" }).click();
    await page.getByRole("button", { name: "Remove BAD1" }).waitFor({ state: "detached" });
    await blocked.fill("BAD1");
    await blocked.press("Enter");
    await page.getByRole("button", { name: "Remove BAD1" }).waitFor();
    await tab.close();
  });

  test("moves money in, out and across, and closes the card", async () => {
    const { client } = desk.service;
    const one = await issueCard(client, { initialBalance: 50 });
    const other = await issueCard(client, { initialBalance: 0 });
    const walletOf = async () => (await client.get("/wallets")).body.data[0].balance as number;
    const before = await walletOf();
    const tab = await desk.tab({ signedIn: owner.browser });
    const { page } = tab;
    await page.goto(`/cards/${one.cardId}`);
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Top up" }).click();
    await dialog.getByLabel("Amount in USD").fill("15.50");
    await dialog.getByRole("button", { name: "Top up" }).click();
    await available(page, "$65.50");

    await choose(page, "Withdraw to the wallet");
    await dialog.getByLabel("Amount in USD").fill("65");
    await dialog.getByRole("button", { name: "Withdraw" }).click();
    // The card keeps a dollar.
    await dialog.getByRole("alert").getByText("Insufficient funds").waitFor();
    await dialog.getByLabel("Amount in USD").fill("5.50");
    await dialog.getByRole("button", { name: "Withdraw" }).click();
    await available(page, "$60.00");

    await choose(page, "Transfer to another card");
    const last = other.maskedPan.slice(-4);
    await dialog.getByLabel("To which card").fill(last);
    await page.getByRole("option", { name: last }).click();
    await dialog.getByLabel("Amount in USD").fill("20");
    await dialog.getByRole("button", { name: "Transfer" }).click();
    await available(page, "$40.00");
    const received = await client.get(`/cards/${other.cardId}`);
    expect(received.body.data.balance).toBe(20);

    await choose(page, "Terminate");
    await dialog.getByText("$40.00 goes back to your wallet").waitFor();
    await dialog.getByLabel("Reason (optional)").fill("The project is over");
    await dialog.getByRole("button", { name: "Terminate the card" }).click();
    await stands(page, "Terminated");
    expect(await page.getByRole("button", { name: "Top up" }).count()).toBe(0);
    await page.getByRole("tab", { name: "Details" }).click();
    await page.getByText("The project is over").waitFor();
    expect(await walletOf()).toBeCloseTo(before - 15.5 + 5.5 + 40, 2);
    await tab.close();
  });

  test("finds the other card by what its label does not say, and asks once", async () => {
    const { client } = desk.service;
    const { cardId } = await issueCard(client);
    const other = await issueCard(client, { nameOnCard: "OFFICE SUPPLIES" });
    const last = other.maskedPan.slice(-4);
    const tab = await desk.tab({ signedIn: owner.browser });
    const { page } = tab;
    await page.clock.install();
    const asked: (string | null)[] = [];
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === "/dashboard/search") asked.push(searchParams.get("q"));
    });
    await page.goto(`/cards/${cardId}`);
    await choose(page, "Transfer to another card");
    const field = page.getByRole("dialog").getByLabel("To which card");
    const option = page.getByRole("option", { name: `${last} OFFICE SUPPLIES` });
    for (const words of ["Obi", other.cardId]) {
      await field.fill(words);
      await page.clock.runFor(1_000);
      await option.waitFor();
    }
    await option.click();
    await soon(() => field.inputValue()).toContain(last);
    await page.clock.runFor(1_000);
    // What is asked for later would have come after what the page asked for before.
    await page.evaluate("fetch('/healthz')");
    expect(asked).toEqual(["Obi", other.cardId]);

    await field.fill("nobody's");
    await page.clock.runFor(1_000);
    await page.getByText("No card found").waitFor();
    await field.press("Tab");
    await soon(() => field.inputValue()).toContain(last);
    await tab.close();
  });

  test("issues cards in each currency that there is, and another like the latest", async () => {
    const { client } = desk.service;
    const { cardId, customerId, maskedPan } = await issueCard(client);
    const latest = async () =>
      (await client.get(`/cards?customerId=${customerId}&limit=1`)).body.data[0];
    const tab = await desk.tab({ signedIn: owner.browser });
    const { page } = tab;
    await page.goto(`/cards/issue?customerId=${customerId}`);
    const currency = page.getByRole("combobox", { name: "Currency" });
    await soon(() => currency.inputValue()).toBe("USD");
    await currency.click();
    await page.getByRole("option", { name: "NGN" }).click();
    await page.getByText("There is no wallet in NGN yet").waitFor();
    await page.getByLabel("Limit per day in NGN").fill("2500.50");
    await page.getByRole("button", { name: "Issue the card" }).click();
    await stands(page, "Active");
    const naira = await latest();
    expect(naira).toMatchObject({ currency: "NGN", cardLimits: { dailyLimit: 2500.5 } });

    await page.goto(`/cards/${cardId}`);
    await choose(page, "Re-issue");
    await page.getByText(`A further card of the same customer beside`).waitFor();
    expect(await page.getByRole("combobox", { name: "Customer" }).isEditable()).toBe(false);
    await page.getByLabel("Limit per day in USD").waitFor();
    // Nothing can be ordered until it is known in which currency.
    const release = await holdBack(page, /\/api\/v1\/cards\?/);
    await page.getByRole("switch", { name: "Share the balance" }).click();
    const again = page.getByRole("button", { name: "Re-issue the card" });
    expect(await again.isDisabled()).toBe(true);
    expect(await page.getByLabel("Limit per day").count()).toBe(0);
    release();
    await page.getByText(`It is in NGN, like the customer's latest card`).waitFor();
    await page.getByLabel("Initial balance in NGN").waitFor();
    await again.click();
    await stands(page, "Active");
    const apart = await latest();
    expect(apart).toMatchObject({ currency: "NGN", sharedBalance: false });
    expect([naira.cardId, cardId]).not.toContain(apart.cardId);
    expect(apart.maskedPan).not.toBe(maskedPan);
    await tab.close();
  });

  test("is told of a wrong amount at its field, and nothing is sent", async () => {
    const { client } = desk.service;
    const { cardId, customerId } = await issueCard(client);
    const bought = await client.post("/simulator/authorizations", { cardId, amount: 5 });
    const tab = await desk.tab({ signedIn: owner.browser });
    const { page } = tab;
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() !== "GET") sent.push(`${request.method()} ${request.url()}`);
    });
    const refuses = async (label: string, button: string, typed: string, words: string) => {
      const place = (await dialog.isVisible()) ? dialog : page.getByRole("main");
      const field = place.getByLabel(label);
      await field.fill(typed);
      await field.press("Tab");
      await place.getByText(words, { exact: true }).waitFor();
      await place.getByRole("button", { name: button, exact: true }).click();
      expect(await field.inputValue()).toBe(typed);
      expect(await field.getAttribute("aria-invalid")).toBe("true");
      // The field is as it was for the next one.
      await field.fill("");
    };
    const dialog = page.getByRole("dialog");
    const open = async (button: string) => {
      await page.getByRole("button", { name: button, exact: true }).click();
      await dialog.waitFor();
    };
    const digits = "Write it in digits, such as 1250.50";

    await page.goto(`/cards/issue?customerId=${customerId}`);
    await refuses("Initial balance in USD", "Issue the card", "-5", "Must not be negative");
    await refuses("Limit per day", "Issue the card", "0", "Must be more than 0");

    await page.goto(`/cards/${cardId}`);
    await open("Top up");
    await refuses("Amount in USD", "Top up", "-7", "Must be more than 0");
    await refuses("Amount in USD", "Top up", "1.239", "USD has 2 decimals");
    await refuses("Amount in USD", "Top up", "1e3", digits);
    await page.keyboard.press("Escape");
    await choose(page, "Withdraw to the wallet");
    await refuses("Amount in USD", "Withdraw", "-7", "Must be more than 0");
    await page.keyboard.press("Escape");
    await choose(page, "Transfer to another card");
    await refuses("Amount in USD", "Transfer", "", "Enter an amount");
    await page.keyboard.press("Escape");
    await page.getByRole("tab", { name: "Controls" }).click();
    await refuses("Limit per transaction in USD", "Save the controls", "12,50", digits);

    await page.goto(`/transactions/${bought.body.data.transactionId}`);
    await open("Settle");
    await refuses("Amount in USD", "Settle", "-1", "Must be more than 0");
    await page.goto(`/sandbox/terminal?cardId=${cardId}`);
    await refuses("Amount", "Buy", "-1", "Must not be negative");
    await page.goto("/wallets");
    await open("Sandbox deposit");
    await dialog.getByLabel("Currency").fill("jpy");
    await refuses("Amount in JPY", "Deposit", "1.5", "JPY has no decimals");
    expect(sent).toEqual([]);
    await tab.close();
  });

  test("sees a full number for half a minute, and beside no other card", async () => {
    const { client } = desk.service;
    const one = await issueCard(client);
    const other = await issueCard(client);
    const { body } = await client.get(`/cards/${one.cardId}/secure`);
    const { pan, cvv } = body.data as { pan: string; cvv: string };
    const tab = await desk.tab({ signedIn: owner.browser });
    const { page } = tab;
    await page.clock.install();
    await page.goto(`/cards/${other.cardId}`);
    await page.getByRole("heading", { name: "Balance" }).waitFor();
    await find(page, one.maskedPan.slice(-4));
    await page.getByRole("heading", { name: one.maskedPan.slice(-4) }).waitFor();

    const show = async () => {
      await page.getByRole("button", { name: "Show the full number" }).click();
      await page.getByRole("button", { name: "Show for 30 seconds" }).click();
      await page.getByRole("timer").waitFor();
      expect(await bareText(page)).toContain(pan);
    };
    await show();
    await page.clock.runFor(20_000);
    expect(await bareText(page)).toContain(pan);
    await page.clock.runFor(11_000);
    await page.getByRole("timer").waitFor({ state: "hidden" });
    expect(await bareText(page)).not.toContain(pan);
    expect(await bareText(page)).not.toContain(`CVV${cvv}`);

    await show();
    await find(page, other.maskedPan.slice(-4));
    await page.getByRole("heading", { name: other.maskedPan.slice(-4) }).waitFor();
    expect(await bareText(page)).not.toContain(pan);

    await page.goto("/settings/audit");
    const looks = page.getByRole("row").filter({ hasText: one.cardId });
    await looks.nth(1).waitFor();
    expect(await bareText(page)).not.toContain(pan);
    await tab.close();
  });

  test("can do it with the keyboard alone", async () => {
    const { email, password } = desk.service.sandbox.dashboard;
    const { cardId, maskedPan } = await issueCard(desk.service.client);
    const last = maskedPan.slice(-4);
    const tab = await desk.tab();
    const { page } = tab;
    const { keyboard } = page;
    await page.goto("/");
    await tabTo(page, page.getByLabel("E-mail"));
    await keyboard.type(email);
    await tabTo(page, page.getByLabel("Password", { exact: true }));
    await keyboard.type(password);
    await keyboard.press("Enter");
    await tabTo(page, page.getByLabel("6-digit code"));
    await keyboard.type(await app.next());
    await keyboard.press("Enter");

    const search = page.getByRole("button", { name: "Search" });
    await tabTo(page, search);
    await keyboard.press("Enter");
    const words = page.getByRole("combobox");
    await words.waitFor();
    await soon(() => hasFocus(words)).toBe(true);
    await keyboard.press("Escape");
    await words.waitFor({ state: "hidden" });
    await soon(() => hasFocus(search)).toBe(true);
    await keyboard.press("Enter");
    await words.waitFor();
    await keyboard.type(last);
    await page.getByRole("option", { name: last }).first().waitFor();
    await keyboard.press("Enter");
    await page.getByRole("heading", { name: last }).waitFor();
    expect(page.url()).toContain(cardId);

    const actions = page.getByRole("button", { name: "Actions" });
    await tabTo(page, actions);
    for (const [item, confirm, status] of [
      ["Freeze", "Freeze the card", "Frozen"],
      ["Unfreeze", "Unfreeze the card", "Active"],
    ] as const) {
      await keyboard.press("Enter");
      const choice = page.getByRole("menuitem", { name: item, exact: true });
      await choice.waitFor();
      // A menu is walked with the arrows.
      for (let steps = 0; steps < 10 && !(await hasFocus(choice)); steps += 1) {
        await keyboard.press("ArrowDown");
      }
      expect(await hasFocus(choice)).toBe(true);
      await keyboard.press("Enter");
      await tabTo(page, page.getByRole("button", { name: confirm }));
      await keyboard.press("Enter");
      await stands(page, status);
      // Back where it began, so that the next deed need not start at the top of the page.
      await soon(() => hasFocus(actions)).toBe(true);
    }
    await tab.close();
  });
});
