import { afterAll, beforeAll, expect, test } from "vitest";
import { GOOD_PASSWORD } from "../../server/test/harness/dashboard.ts";
import { describeInBrowser } from "./harness/chromium.ts";
import { Desk } from "./harness/desk.ts";
import { appWith, readSecret } from "./harness/forms.ts";
import { hasFocus } from "./harness/keyboard.ts";
import { soon } from "./harness/soon.ts";

describeInBrowser("a stranger", () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.open();
  });
  afterAll(() => desk?.close());

  test("signs up, sets up two factors, and issues the first card", async () => {
    const tab = await desk.tab();
    const { page } = tab;
    await page.goto("/");
    await page.getByRole("link", { name: "Create an organization" }).click();
    await page.getByLabel("Organization").fill("Harbour Ltd");
    await page.getByLabel("Your name").fill("Nora Newcomer");
    await page.getByLabel("Your e-mail").fill("nora@harbour.example");
    await page.getByRole("button", { name: "Send me the link" }).click();

    await page.getByRole("link", { name: "Open the sandbox mailbox" }).click();
    await page.getByText("to nora@harbour.example").click();
    expect(await page.getByRole("link", { name: "Open the mailbox" }).count()).toBe(0);
    await page.getByRole("link", { name: "Open the link" }).click();

    await page.getByRole("heading", { name: "Choose your password" }).waitFor();
    await page.getByLabel("Password", { exact: true }).fill("password1234");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("main").getByRole("alert").waitFor();
    await page.getByLabel("Password", { exact: true }).fill(GOOD_PASSWORD);
    await page.getByRole("button", { name: "Continue" }).click();

    const app = await appWith(await readSecret(page));
    await page.getByLabel("6-digit code").fill(await app.next());
    await page.getByRole("button", { name: "Turn it on" }).click();
    const codes = page.locator("[data-recovery-code]");
    await codes.first().waitFor();
    expect(await codes.count()).toBe(10);
    const recoveryCode = await codes.first().innerText();
    await page.getByLabel("I have kept these codes").check();
    await page.getByRole("button", { name: "Continue" }).click();

    await page.getByRole("heading", { name: "First steps" }).waitFor();
    await page.getByRole("link", { name: "Put money into a wallet" }).click();
    await page.getByRole("button", { name: "Sandbox deposit" }).click();
    await page.getByRole("button", { name: "Deposit", exact: true }).click();
    await page.getByText("$1,000.00").first().waitFor();

    await page.getByRole("link", { name: "Customers" }).click();
    await page.getByRole("link", { name: "Verify a customer" }).first().click();
    await page.getByRole("button", { name: "Verify", exact: true }).click();
    // Everything is missing, and each field says so itself.
    const marked = page.locator("input[aria-invalid=true]");
    await soon(() => marked.count()).toBe(7);
    expect(await page.getByText("This is required").count()).toBe(7);
    expect(await page.getByLabel("Date of birth (optional)").count()).toBe(1);
    expect(await page.getByLabel("Street").getAttribute("aria-invalid")).toBe("true");
    await soon(() => hasFocus(page.getByLabel("Your reference"))).toBe(true);
    await page.getByLabel("Your reference").fill("staff-1");
    await page.getByLabel("Number").fill("123");
    await page.getByLabel("First name").fill("Ada");
    await page.getByLabel("Last name").fill("Obi");
    await page.getByLabel("Street").fill("1 Marina");
    await page.getByLabel("City").fill("Lagos");
    await page.getByLabel("State or province").fill("Lagos");
    await page.getByRole("button", { name: "Verify", exact: true }).click();
    // What the service finds wrong stands at its field, and nowhere else.
    await page.getByText("must be 11 digits for BVN", { exact: true }).waitFor();
    await page.getByRole("main").getByRole("alert").getByText("see the marked fields").waitFor();
    expect(await page.getByText("must be 11 digits").count()).toBe(1);
    expect(await page.locator("main").innerText()).not.toContain("individualKyc");
    await page.getByLabel("Number").fill("22222222222");
    await page.getByRole("button", { name: "Verify", exact: true }).click();

    await page.getByRole("heading", { name: "Ada Obi" }).waitFor();
    await page.getByRole("link", { name: "Issue a card" }).click();
    await page.getByLabel("Initial balance in USD").fill("120");
    await page.getByRole("button", { name: "Issue the card" }).click();
    await page.getByRole("heading", { name: "Balance" }).waitFor();
    expect(await page.locator("main").innerText()).toContain("$120.00");

    // Out, and in again: with a wrong code, then with a recovery code.
    await page.getByRole("button", { name: "Account of Nora Newcomer" }).click();
    await page.getByRole("menuitem", { name: "Log out" }).click();
    await page.getByLabel("E-mail").fill("nora@harbour.example");
    await page.getByLabel("Password", { exact: true }).fill(GOOD_PASSWORD);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByLabel("6-digit code").fill("000000");
    await page.getByRole("button", { name: "Log in", exact: true }).click();
    await page.getByRole("main").getByRole("alert").waitFor();
    await page.getByRole("button", { name: "Use a recovery code" }).click();
    await page.getByLabel("Recovery code").fill(recoveryCode);
    await page.getByRole("button", { name: "Log in", exact: true }).click();
    await page.getByRole("navigation", { name: "Main" }).waitFor();
    await tab.close();
  });

  test("is sent to the log-in first, and then to where they wanted to go", async () => {
    const { email, password, totpSecret } = desk.service.sandbox.dashboard;
    const tab = await desk.tab();
    const { page } = tab;
    await page.goto("/cards?status=Frozen");
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByLabel("6-digit code").fill(await (await appWith(totpSecret)).next());
    await page.getByRole("button", { name: "Log in", exact: true }).click();
    await page.getByRole("heading", { name: "Cards" }).waitFor();
    expect(new URL(page.url()).search).toBe("?status=Frozen");
    await tab.close();
  });
});
