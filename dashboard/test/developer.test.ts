import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type SignedIn, signUp } from "../../server/test/harness/dashboard.ts";
import { Decider } from "../../server/test/harness/decider.ts";
import { eventually, until } from "../../server/test/harness/eventually.ts";
import { Receiver, verify } from "../../server/test/harness/receiver.ts";
import { describeInBrowser } from "./harness/chromium.ts";
import type { Desk } from "./harness/desk.ts";
import { ownerDesk } from "./harness/owner-desk.ts";
import { issueCard } from "./harness/seed.ts";
import { soon } from "./harness/soon.ts";

const DAY_MS = 86_400_000;

const secretIn = (page: Page) =>
  page.getByRole("status").filter({ hasText: "Your webhook secret" }).locator("code").innerText();

describeInBrowser("a developer", () => {
  let desk: Desk;
  let owner: SignedIn;
  ownerDesk((open) => {
    ({ desk, owner } = open);
  });

  const deposit = (amount: number) =>
    desk.service.client.post("/simulator/wallets/deposits", { currency: "USD", amount });

  test("adds a webhook endpoint, tests, resends, rotates, pauses and removes it", async () => {
    const receiver = await Receiver.open();
    const tab = await desk.tab({ signedIn: owner.browser });
    const { page } = tab;
    await page.goto("/settings/webhooks");
    await page.getByRole("button", { name: "Add an endpoint" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Address").fill("nonsense");
    await dialog.getByRole("button", { name: "Add the endpoint" }).click();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByLabel("Address").fill(receiver.url);
    await dialog.getByRole("button", { name: "Add the endpoint" }).click();
    const secret = await secretIn(page);

    // It is shown once.
    await page.getByRole("link", { name: receiver.url }).click();
    await page.getByRole("heading", { name: "Tools" }).waitFor();
    expect(await page.locator("body").innerText()).not.toContain(secret);
    const endpointPage = page.url();
    await page.getByRole("button", { name: "Send a test" }).click();
    await page.getByText(/^200 in \d+ ms$/).waitFor();
    verify(receiver.received[0], secret);

    // What the endpoint refuses is shown with the answer it gave.
    receiver.answerWith(500);
    await deposit(11);
    const deliveries = page.getByRole("region", { name: /deliveries/i });
    await deliveries.getByRole("link", { name: "wallet.deposited" }).click();
    const attempts = page.getByRole("table", { name: "Attempts" });
    await attempts.getByRole("cell", { name: "500" }).first().waitFor();
    // None of it is out of sight.
    const place = attempts.locator("..");
    expect(await place.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
    receiver.answerWith(200);

    // What it took can be sent again, and comes as the same event.
    await deposit(12);
    const arrivals = () => receiver.received.filter(({ body }) => body.data.amount === 12);
    await until("the deposit is told", () => arrivals().length === 1);
    await page.goto(`/events/${arrivals()[0]?.body.eventId}`);
    await attempts.getByRole("cell", { name: "200" }).waitFor();
    await page.getByRole("button", { name: "Send again" }).click();
    await attempts.getByRole("cell", { name: "200" }).nth(1).waitFor();
    const [first, second] = arrivals().map((message) => verify(message, secret));
    expect(second).toEqual(first);

    await page.goto(endpointPage);
    await page.getByRole("button", { name: "Rotate the secret" }).click();
    await page.getByRole("button", { name: "Make a new secret" }).click();
    const renewed = await secretIn(page);
    expect(renewed).not.toBe(secret);
    await page.getByRole("button", { name: "Send a test" }).click();
    const both = await eventually("a message has two signatures", () =>
      receiver.received.find(({ headers }) => / v1,/.test(String(headers["webhook-signature"]))),
    );
    for (const each of [secret, renewed]) verify(both, each);

    await page.getByRole("button", { name: "Disable" }).click();
    await page.getByRole("button", { name: "Disable the endpoint" }).click();
    await page.getByText("Disabled", { exact: true }).waitFor();
    await deposit(22);
    await page.getByRole("button", { name: "Enable" }).click();
    await page.getByRole("button", { name: "Enable the endpoint" }).click();
    await page.getByText("Enabled", { exact: true }).waitFor();
    await deposit(33);
    await until("the last deposit is told", () =>
      receiver.received.some(({ body }) => body.data.amount === 33),
    );
    expect(receiver.received.some(({ body }) => body.data.amount === 22)).toBe(false);

    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete the endpoint" }).click();
    await page.getByRole("heading", { name: "Webhooks" }).waitFor();
    await page.getByRole("link", { name: receiver.url }).waitFor({ state: "hidden" });
    await tab.close();
    await receiver.goDown();
  });

  test("who signed up gets the signing secret, verifies a question with it, and rotates it", async () => {
    const decider = await Decider.start();
    const { browser } = await signUp(desk.origin, "dana@signing.example");
    const tab = await desk.tab({ signedIn: browser });
    const { page } = tab;
    const shown = page
      .getByRole("status")
      .filter({ hasText: "Your webhookSecret" })
      .locator("code");
    const panel = page.getByRole("region", { name: "Signing secret" });
    const dialog = page.getByRole("dialog");
    const rotate = async (hours: string) => {
      await panel.getByRole("button", { name: "Rotate the signing secret" }).click();
      await dialog.getByLabel("Overlap in hours").fill(hours);
      await dialog.getByRole("button", { name: "Make a new secret" }).click();
    };
    const verifyLatest = (secret: string) => verify(decider.questions.at(-1), secret);
    const ask = async () => {
      await page.goto("/settings/authorization");
      await page.getByRole("button", { name: "Test my endpoint" }).click();
      await page.getByText(/^\d+ ms of 400 ms$/).waitFor();
    };

    // Where the address is set, it is said where the secret is.
    await page.goto("/settings/authorization");
    await page.getByText("We decide").click();
    await page.getByLabel("Authorization URL").fill(decider.url);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The settings are saved and in force").waitFor();
    await page.getByRole("main").getByRole("link", { name: "Credentials" }).click();
    await panel.getByText("Current").waitFor();
    expect(await page.locator("body").innerText()).not.toContain("whsec_");

    await rotate("0");
    const first = await shown.innerText();
    expect(await panel.getByText("Expiring").count()).toBe(0);
    await ask();
    verifyLatest(first);

    // An overlap that was left out is not taken for none.
    await page.goto("/settings/credentials");
    await rotate("");
    await dialog.getByText("must be a number", { exact: true }).waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await rotate("2");
    const second = await shown.innerText();
    expect(second).not.toBe(first);
    await panel.getByText("Expiring").waitFor();
    await ask();
    for (const secret of [first, second]) verifyLatest(secret);

    // It is shown once.
    await page.goto("/settings/credentials");
    await panel.getByText("Expiring").waitFor();
    expect(await page.locator("body").innerText()).not.toContain("whsec_");

    // Who has lost it and rotates again hears what that ends.
    await panel.getByRole("button", { name: "Rotate the signing secret" }).click();
    await dialog.getByText(/An earlier secret still works .* It ends as soon as/s).waitFor();
    await tab.close();
    decider.stop();
  });

  test("plays a shop at the virtual terminal: settles, refunds, reverses", async () => {
    const { cardId } = await issueCard(desk.service.client, { initialBalance: 100 });
    const tab = await desk.tab({ signedIn: owner.browser });
    const { page } = tab;
    const dialog = page.getByRole("dialog");
    const act = async (verb: string, amount = "") => {
      await page.getByRole("button", { name: verb }).click();
      if (amount !== "") await dialog.getByLabel("Amount in USD").fill(amount);
      await dialog.getByRole("button", { name: verb }).click();
      await dialog.waitFor({ state: "hidden" });
    };
    await page.goto(`/sandbox/terminal?cardId=${cardId}`);
    await page.getByRole("button", { name: "Buy" }).click();
    await page.getByText("Code 000").waitFor();
    await act("Settle");
    await act("Refund", "5");
    await page.getByRole("link", { name: "Open the transaction" }).click();
    await page.getByRole("heading", { level: 1 }).getByText("Refunded").waitFor();
    const life = page.getByRole("region", { name: "Life of this transaction" });
    expect(await life.innerText()).toMatch(/Authorized[\s\S]*Settled[\s\S]*Refunded\s+\$5\.00/);

    await page.goto(`/sandbox/terminal?cardId=${cardId}`);
    await page.getByRole("button", { name: "Buy" }).click();
    await act("Reverse");
    await page.getByRole("link", { name: "Open the transaction" }).click();
    await page.getByRole("heading", { level: 1 }).getByText("Reversed").waitFor();
    const { body } = await desk.service.client.get(`/cards/${cardId}`);
    expect(body.data).toMatchObject({ balance: 80, heldAmount: 0 });
    await tab.close();
  });

  test("sees what was bought, and no verdict on an endpoint, where an answer was lost", async () => {
    const { client } = desk.service;
    const { cardId } = await issueCard(client, { initialBalance: 100 });
    const receiver = await Receiver.open();
    const wanted = { url: receiver.url, eventTypes: ["kyc.rejected"] };
    const { body } = await client.post("/webhook-endpoints", wanted);
    const tab = await desk.tab({ signedIn: owner.browser });
    const { page } = tab;
    const pressTwice = async (name: string, path: string) => {
      await page.route(path, async (route) => {
        await route.fetch();
        await route.abort();
      });
      await page.getByRole("button", { name }).click();
      await page.getByText("The service did not answer").waitFor();
      await page.unroute(path);
      await page.getByRole("button", { name }).click();
    };
    await page.goto(`/sandbox/terminal?cardId=${cardId}`);
    await pressTwice("Buy", "**/simulator/authorizations");
    await page.getByText("Code 000").waitFor();
    expect((await client.get(`/cards/${cardId}`)).body.data.heldAmount).toBe(25);

    await page.goto(`/settings/webhooks/${body.data.webhookEndpointId}`);
    await pressTwice("Send a test", "**/test");
    await page.getByText("It is done").waitFor();
    expect(await page.getByText("No answer in").count()).toBe(0);
    expect(receiver.received).toHaveLength(1);
    await tab.close();
    await receiver.goDown();
  });

  test("orders faults that come as often as they were ordered", async () => {
    const { client } = desk.service;
    const tab = await desk.tab({ signedIn: owner.browser });
    const { page } = tab;
    const order = async (fault: string, count: string) => {
      await page.getByLabel("What goes wrong").selectOption(fault);
      await page.getByLabel("How often").fill(count);
      await page.getByRole("button", { name: "Let it go wrong" }).click();
    };
    const verified = async () => {
      const { status } = await client.post("/kyc/individual", {
        clientReference: "staff-0002",
        individualKyc: {
          idType: "BVN",
          idNumber: "22222222222",
          firstName: "Ada",
          lastName: "Obi",
          address: { street: "1 Marina", city: "Lagos", state: "Lagos", country: "NG" },
        },
      });
      return status;
    };
    await page.goto("/sandbox/tools");
    await order("KycDown", "1");
    await page.getByText("Still to come: The KYC provider is down (1).").waitFor();
    expect(await verified()).toBe(502);
    expect(await verified()).toBe(200);
    // What is used up is not to come any more.
    await order("DuplicateDeliveries", "2");
    await page.getByText("Still to come: Send the next webhooks twice (2).").waitFor();
    await page.getByRole("button", { name: "Stop all faults" }).click();
    await page.getByText("Nothing will go wrong.").waitFor();
    await tab.close();
  });

  test("sees the calls of the own servers as they come", async () => {
    const tab = await desk.tab({ signedIn: owner.browser });
    const { page } = tab;
    await page.goto("/settings/requests");
    await page.getByRole("table", { name: "API requests" }).waitFor();
    await desk.service.client.get("/cards/card_nothing");
    const row = page.getByRole("row", { name: /GET \/cards\/card_nothing .* 400 · 112/ });
    const requestId = /req_[0-9a-z]{26}/.exec(await row.innerText())?.[0] ?? "no id";
    // Whoever asks for help quotes it.
    await row.getByRole("button").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(requestId, { exact: true }).waitFor();
    await dialog.getByRole("button", { name: "Copy request id" }).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });

    const code = page.getByLabel("Response code");
    for (const typed of ["abc", "99"]) {
      await code.fill(typed);
      await page.getByText("Three digits, such as 116").waitFor();
      await code.fill("");
      await page.getByText("Three digits, such as 116").waitFor({ state: "hidden" });
    }
    await code.fill("999");
    await page.getByText("No request matches these filters").waitFor();
    // What is no code is no filter either.
    await code.fill("99");
    await row.waitFor();
    await tab.close();
  });

  // Last, because tokens of the API follow the service's clock.
  test("lets a week pass, and sees a hold expire on another screen", async () => {
    const { client } = desk.service;
    const { cardId } = await issueCard(client, { initialBalance: 40 });
    const bought = await client.post("/simulator/authorizations", { cardId, amount: 10 });
    const watcher = await desk.tab({ signedIn: owner.browser });
    await watcher.page.goto(`/transactions/${bought.body.data.transactionId}`);
    const heading = watcher.page.getByRole("heading", { level: 1 });
    await heading.getByText("Authorized").waitFor();
    const tab = await desk.tab({ signedIn: owner.browser });
    const { page } = tab;
    await page.goto("/sandbox/tools");
    const time = page.getByText("The service's time is now").locator("time");
    const shown = async () => Date.parse((await time.getAttribute("datetime")) ?? "");
    const before = await shown();
    // More than the clock may move at once is refused, and not made less.
    await page.getByLabel("How many").fill("500");
    await page.getByRole("button", { name: "Move the clock" }).click();
    await page.getByRole("main").getByRole("alert").waitFor();
    expect(await page.getByLabel("How many").inputValue()).toBe("500");
    await page.getByLabel("How many").fill("8");
    await page.getByRole("button", { name: "Move the clock" }).click();
    await soon(async () => Math.floor(((await shown()) - before) / DAY_MS)).toBe(8);
    await heading.getByText("Expired").waitFor();
    await page.goto(`/cards/${cardId}`);
    await page.getByRole("region", { name: "Balance" }).getByText("$40.00").first().waitFor();
    await tab.close();
    await watcher.close();
  });
});
