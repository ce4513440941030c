import type { Route } from "playwright-core";
import { expect, test } from "vitest";
import type { SignedIn } from "../../server/test/harness/dashboard.ts";
import { describeInBrowser } from "./harness/chromium.ts";
import type { Desk } from "./harness/desk.ts";
import { ownerDesk } from "./harness/owner-desk.ts";
import { issueCard } from "./harness/seed.ts";

describeInBrowser("a dialog", () => {
  let desk: Desk;
  let owner: SignedIn;
  ownerDesk((open) => {
    ({ desk, owner } = open);
  });

  const atCard = async () => {
    const { cardId } = await issueCard(desk.service.client, { initialBalance: 50 });
    const tab = await desk.tab({ signedIn: owner.browser });
    const { page } = tab;
    await page.goto(`/cards/${cardId}`);
    const topUp = page.getByRole("button", { name: "Top up" });
    await topUp.click();
    const dialog = page.getByRole("dialog");
    const amount = dialog.getByLabel("Amount in USD");
    await amount.waitFor();
    const balance = async () =>
      (await desk.service.client.get(`/cards/${cardId}`)).body.data.balance as number;
    return { tab, page, topUp, dialog, amount, balance };
  };

  test("says at once that there is no network, and does nothing later that was cancelled", async () => {
    const { tab, page, topUp, dialog, amount, balance } = await atCard();
    await tab.context.setOffline(true);
    await amount.fill("5");
    await amount.press("Enter");
    await dialog.getByRole("alert").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    await tab.context.setOffline(false);

    // What is sent after it would have been sent before this.
    await topUp.click();
    await amount.fill("7");
    await amount.press("Enter");
    await page.getByText("Topped up: $7.00").waitFor();
    expect(await balance()).toBe(57);
    await tab.close();
  });

  test("stays until its answer is there: what is under way cannot be cancelled", async () => {
    const { tab, page, dialog, amount, balance } = await atCard();
    const asked = new Promise<Route>((hold) => page.route("**/top-up", hold));
    await amount.fill("5");
    await amount.press("Enter");
    const route = await asked;
    await page.keyboard.press("Escape");
    await page.mouse.click(2, 2);
    expect(await dialog.getByRole("button", { name: "Cancel" }).isDisabled()).toBe(true);
    expect(await dialog.getByRole("button", { name: "Close" }).isDisabled()).toBe(true);
    expect(await amount.inputValue()).toBe("5");
    await route.continue();
    await page.getByText("Topped up: $5.00").waitFor();
    await dialog.waitFor({ state: "detached" });
    expect(await balance()).toBe(55);
    await tab.close();
  });

  test("opens without complaints, however it was left", async () => {
    const { tab, page, topUp, dialog, amount } = await atCard();
    const complaints = () => dialog.getByText("Enter an amount").count();
    await amount.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await topUp.click();
    await amount.waitFor();
    expect(await complaints()).toBe(0);

    await amount.fill("5");
    await amount.press("Enter");
    await page.getByText("Topped up: $5.00").waitFor();
    await dialog.waitFor({ state: "detached" });
    await topUp.click();
    await amount.waitFor();
    expect(await complaints()).toBe(0);
    await tab.close();
  });

  test.each([
    { path: "/cards/:cardId", opener: "Actions", item: "Terminate", field: "Reason (optional)" },
    { path: "/settings/team", opener: "Invite", field: "E-mail" },
    { path: "/settings/webhooks", opener: "Add an endpoint", field: "Address" },
    {
      path: "/settings/credentials",
      opener: "Rotate the signing secret",
      field: "Overlap in hours",
    },
    { path: "/settings/profile", opener: "Change the authenticator", field: "6-digit code" },
  ])("begins as it did the first time: $field", async ({ path, opener, item, field }) => {
    const { cardId } = await issueCard(desk.service.client);
    const tab = await desk.tab({ signedIn: owner.browser });
    const { page } = tab;
    await page.goto(path.replace(":cardId", cardId));
    const dialog = page.getByRole("dialog");
    const open = async () => {
      await page.getByRole("button", { name: opener }).first().click();
      if (item !== undefined) await page.getByRole("menuitem", { name: item }).click();
      await dialog.getByLabel(field).waitFor();
    };
    await open();
    const first = await dialog.getByLabel(field).inputValue();
    await dialog.getByLabel(field).fill("123");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    await open();
    expect(await dialog.getByLabel(field).inputValue()).toBe(first);
    await tab.close();
  });
});
