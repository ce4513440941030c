import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { inviteAs, type SignedIn } from "../../server/test/harness/dashboard.ts";
import { describeInBrowser } from "./harness/chromium.ts";
import type { Desk } from "./harness/desk.ts";
import { ownerDesk } from "./harness/owner-desk.ts";
import { issueCard } from "./harness/seed.ts";

/** Longer than an answer counts as fresh. */
const STALE_MS = 20_000;

/** Comes back to the page after a while, so that it asks again for what no event tells of. */
async function comeBack(page: Page): Promise<void> {
  await page.clock.runFor(STALE_MS);
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
}

describeInBrowser("a dialog, when something else was faster,", () => {
  let desk: Desk;
  let owner: SignedIn;
  ownerDesk((open) => {
    ({ desk, owner } = open);
  });

  const at = async (path: string) => {
    const tab = await desk.tab({ signedIn: owner.browser });
    const { page } = tab;
    await page.clock.install();
    await page.goto(path);
    return { tab, page };
  };

  /** Expects what the open dialog asks, that it says why it is late, and that it can do nothing. */
  async function isLate(page: Page, title: string | RegExp, button: string, words: string) {
    const dialog = page.getByRole("dialog", { name: title });
    await dialog.getByRole("status").getByText(words, { exact: true }).waitFor();
    const confirm = dialog.getByRole("button", { name: button, exact: true });
    expect(await confirm.isDisabled()).toBe(true);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  }

  const post = async (path: string, body: object = {}) => {
    const answer = await desk.service.client.post(path, body);
    expect(answer.status).toBe(200);
    return answer.body.data;
  };

  test("freezes and unfreezes nothing but what was asked, and terminates nothing twice", async () => {
    const { cardId } = await issueCard(desk.service.client);
    const { tab, page } = await at(`/cards/${cardId}`);
    const choose = async (item: string) => {
      await page.getByRole("button", { name: "Actions" }).click();
      await page.getByRole("menuitem", { name: item, exact: true }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).waitFor();
    };
    await choose("Freeze");
    await post(`/cards/${cardId}/freeze`);
    await isLate(page, /^Freeze/, "Freeze the card", "The card is frozen already.");
    await choose("Unfreeze");
    await post(`/cards/${cardId}/unfreeze`);
    await isLate(page, /^Unfreeze/, "Unfreeze the card", "The card is not frozen any more.");
    await choose("Terminate");
    await post(`/cards/${cardId}/terminate`);
    const words = "The card is terminated already.";
    await isLate(page, /^Terminate/, "Terminate the card", words);
    await tab.close();
  });

  test("takes no money of a purchase that has ended", async () => {
    const { cardId } = await issueCard(desk.service.client);
    const { transactionId } = await post("/simulator/authorizations", { cardId, amount: 5 });
    const { tab, page } = await at(`/transactions/${transactionId}`);
    await page.getByRole("button", { name: "Settle" }).click();
    await post(`/simulator/transactions/${transactionId}/reverse`);
    const words = "Nothing is held for this purchase any more.";
    await isLate(page, "Settle this purchase", "Settle", words);
    await tab.close();
  });

  test("pays for a terminated card no more than it named", async () => {
    const { cardId } = await issueCard(desk.service.client);
    await post(`/cards/${cardId}/terminate`);
    const settle = (amount: number) => post("/simulator/settlements", { cardId, amount });
    await settle(25);
    const { tab, page } = await at(`/cards/${cardId}`);
    await page.getByRole("button", { name: "Actions" }).click();
    await page.getByRole("menuitem", { name: "Regularize the balance" }).click();
    await page.getByRole("button", { name: "Pay $25.00 from the wallet" }).waitFor();
    await settle(7);
    const words = "The card owes $32.00 by now. Close this and open it again to pay that.";
    await isLate(page, /^Regularize/, "Pay $25.00 from the wallet", words);
    await page.getByRole("button", { name: "Actions" }).click();
    await page.getByRole("menuitem", { name: "Regularize the balance" }).click();
    await page.getByRole("button", { name: "Pay $32.00 from the wallet" }).click();
    await page.getByText("The card stands at zero").waitFor();
    await tab.close();
  });

  test("turns an endpoint neither on nor off that is so already", async () => {
    const { webhookEndpointId } = await post("/webhook-endpoints", { url: "http://127.0.0.1:9/" });
    const path = `/webhook-endpoints/${webhookEndpointId}`;
    const { tab, page } = await at(`/settings${path.replace("webhook-endpoints", "webhooks")}`);
    for (const [verb, status] of [
      ["Disable", "Disabled"],
      ["Enable", "Enabled"],
    ] as const) {
      await page.getByRole("button", { name: verb, exact: true }).click();
      await page.getByRole("button", { name: `${verb} the endpoint` }).waitFor();
      await desk.service.client.call("PATCH", path, { body: { status } });
      await comeBack(page);
      const words = `The endpoint is ${status.toLowerCase()} already.`;
      await isLate(page, `${verb} this endpoint?`, `${verb} the endpoint`, words);
    }
    await tab.close();
  });

  test("makes no secret when there is a newer one by now", async () => {
    const { tab, page } = await at("/settings/credentials");
    await page.getByRole("button", { name: "Rotate the signing secret" }).click();
    await page.getByRole("button", { name: "Make a new secret" }).waitFor();
    const path = "/dashboard/credentials/signing-secret/rotate";
    expect((await owner.browser.post(path, { overlapHours: 24 })).status).toBe(200);
    await comeBack(page);
    const words =
      "There is a newer secret by now. Close this and look at the secrets before you make another.";
    await isLate(page, "Rotate the signing secret?", "Make a new secret", words);
    await tab.close();
  });

  test("gives no role to whoever has another by now, and removes nobody who is gone", async () => {
    const guest = await inviteAs(owner, "Viewer", "short@stay.example");
    const { person } = await guest.browser.me();
    const { tab, page } = await at("/settings/team");
    await page.getByLabel(`Role of ${person.name}`).click();
    await page.getByRole("dialog").getByLabel("Role").selectOption("Support");
    const path = `/dashboard/people/${person.personId}`;
    await owner.browser.call("PATCH", path, { body: { role: "Finance" } });
    await comeBack(page);
    const title = `Change the role of ${person.name}?`;
    await isLate(page, title, "Save the role", `${person.name} is Finance by now.`);
    await page.getByRole("button", { name: `Remove ${person.name}` }).click();
    await page.getByRole("button", { name: "Remove from the team" }).waitFor();
    await owner.browser.call("DELETE", path);
    await comeBack(page);
    const words = `${person.name} is not in the team any more.`;
    await isLate(page, `Remove ${person.name}?`, "Remove from the team", words);
    await tab.close();
  });

  test("does not stay for what another page is about", async () => {
    const addresses = ["http://127.0.0.1:9/one", "http://127.0.0.1:9/two"];
    const [one, two] = await Promise.all(
      addresses.map(async (url) => {
        const { webhookEndpointId } = await post("/webhook-endpoints", { url });
        return `/settings/webhooks/${webhookEndpointId}`;
      }),
    );
    const { tab, page } = await at(`${one}`);
    const go = async (path: string | undefined, url: string | undefined) => {
      await page.evaluate(`history.pushState({}, "", ${JSON.stringify(path)})`);
      await page.getByRole("main").getByText(`${url}`).first().waitFor();
    };
    // Both are known, so that neither page waits for anything.
    await go(two, addresses[1]);
    await go(one, addresses[0]);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByText(`${addresses[0]} gets no events any more`).waitFor();
    await go(two, addresses[1]);
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await tab.close();
  });
});
