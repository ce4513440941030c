import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import type { SignedIn } from "../../server/test/harness/dashboard.ts";
import { describeInBrowser } from "./harness/chromium.ts";
import type { Desk } from "./harness/desk.ts";
import { ownerDesk } from "./harness/owner-desk.ts";
import { issueCard } from "./harness/seed.ts";

describeInBrowser("what the service refuses", () => {
  let desk: Desk;
  let owner: SignedIn;
  ownerDesk((open) => {
    ({ desk, owner } = open);
  });

  const at = async (path: string) => {
    const tab = await desk.tab({ signedIn: owner.browser });
    await tab.page.goto(path);
    return { tab, page: tab.page };
  };

  const alertOf = (place: Page | Locator) => place.getByRole("alert");

  /** Expects that a field is marked, and that the alert points there. */
  async function isMarked(place: Page | Locator, field: Locator): Promise<void> {
    await alertOf(place).getByText("see the marked fields").waitFor();
    expect(await field.getAttribute("aria-invalid")).toBe("true");
  }

  /** Expects that nothing is left of a refusal once its field is changed. */
  async function isForgotten(place: Page | Locator, field: Locator, text: string): Promise<void> {
    await field.fill(text);
    await alertOf(place).waitFor({ state: "detached" });
    expect(await field.getAttribute("aria-invalid")).not.toBe("true");
  }

  test("is marked at the address of a webhook endpoint", async () => {
    const { tab, page } = await at("/settings/webhooks");
    await page.getByRole("button", { name: "Add an endpoint" }).first().click();
    const dialog = page.getByRole("dialog");
    const address = dialog.getByLabel("Address");
    await address.fill("nonsense");
    await dialog.getByRole("button", { name: "Add the endpoint" }).click();
    await isMarked(dialog, address);
    expect(await dialog.innerText()).not.toContain("url:");
    await isForgotten(dialog, address, "http://127.0.0.1:9/");
    await dialog.getByRole("button", { name: "Add the endpoint" }).click();
    await page.getByRole("link", { name: "http://127.0.0.1:9/" }).click();
    const saved = page.getByRole("main").getByLabel("Address");
    await saved.fill("nonsense");
    await page.getByRole("button", { name: "Save the endpoint" }).click();
    await isMarked(page, saved);
    await isForgotten(page, saved, "http://127.0.0.1:9/");
    await tab.close();
  });

  test("is marked where the clock is moved", async () => {
    const { tab, page } = await at("/sandbox/tools");
    const field = page.getByLabel("How many");
    await field.fill("");
    await page.getByRole("button", { name: "Move the clock" }).click();
    await page.getByText("Whole seconds, up to 400 days").waitFor();
    await isMarked(page, field);
    expect(await page.getByRole("main").innerText()).not.toContain("seconds:");
    await isForgotten(page, field, "1");
    await tab.close();
  });

  test("is marked where a card is terminated, and told of merchants by their label", async () => {
    const { cardId } = await issueCard(desk.service.client);
    const { tab, page } = await at(`/cards/${cardId}?tab=controls`);
    const blocked = page.getByLabel("Never at these merchants: merchant ids to add");
    await blocked.fill(Array.from({ length: 1_001 }, (_, index) => `M${index}`).join());
    await blocked.press("Enter");
    await page.getByText(/^Merchant ids: must/).waitFor();

    await page.getByRole("button", { name: "Actions" }).click();
    await page.getByRole("menuitem", { name: "Terminate" }).click();
    const dialog = page.getByRole("dialog");
    const reason = dialog.getByLabel("Reason (optional)");
    await reason.fill("because ".repeat(40));
    await dialog.getByRole("button", { name: "Terminate the card" }).click();
    await isMarked(dialog, reason);
    expect(await dialog.innerText()).not.toContain("reason:");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Actions" }).click();
    await page.getByRole("menuitem", { name: "Terminate" }).click();
    await reason.waitFor();
    expect(await alertOf(dialog).count()).toBe(0);
    await tab.close();
  });

  test("is marked at a last day before the first, and told in the words of the page", async () => {
    for (const list of ["/transactions", "/customers"]) {
      const { tab, page } = await at(`${list}?from=2026-02-02&to=2026-01-01`);
      await page.getByText("Before the first day").waitFor();
      expect(await page.getByLabel("Until").getAttribute("aria-invalid")).toBe("true");
      await alertOf(page).getByText("“From” must not be after “Until”").waitFor();
      expect(await page.getByLabel("From").inputValue()).toBe("2026-02-02");
      await tab.close();
    }
  });

  test("is marked at the card or the amount of a transfer", async () => {
    const { client } = desk.service;
    const { cardId } = await issueCard(client);
    const { maskedPan } = await issueCard(client);
    const { tab, page } = await at(`/cards/${cardId}`);
    await page.getByRole("button", { name: "Actions" }).click();
    await page.getByRole("menuitem", { name: "Transfer to another card" }).click();
    const dialog = page.getByRole("dialog");
    const amount = dialog.getByLabel("Amount in USD");
    await amount.fill("99999999999999");
    await dialog.getByRole("button", { name: "Transfer" }).click();
    await dialog.getByText("Choose a card").waitFor();
    const last = maskedPan.slice(-4);
    await dialog.getByLabel("To which card").fill(last);
    await page.getByRole("option", { name: last }).click();
    await dialog.getByRole("button", { name: "Transfer" }).click();
    await isMarked(dialog, amount);
    await tab.close();
  });

  test("is not held against a card that is ordered otherwise", async () => {
    const { customerId } = await issueCard(desk.service.client);
    const { tab, page } = await at(`/cards/issue?customerId=${customerId}`);
    const balance = page.getByLabel("Initial balance in USD");
    await balance.fill("9000000");
    const issue = page.getByRole("button", { name: "Issue the card" });
    await issue.click();
    await alertOf(page).waitFor();
    await balance.fill("9000000x");
    await alertOf(page).waitFor({ state: "detached" });
    await issue.click();
    await page.getByText("Write it in digits, such as 1250.50").waitFor();
    expect(await alertOf(page).count()).toBe(0);
    await balance.fill("9");
    await issue.click();
    await page.getByText("The card is issued").waitFor();
    await tab.close();
  });
});
