import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { linkTo, signUp } from "../../server/test/harness/dashboard.ts";
import { describeInBrowser } from "./harness/chromium.ts";
import { Desk } from "./harness/desk.ts";
import {
  appWith,
  findsItselfOut,
  giveCode,
  givePassword,
  giveRecoveryCode,
  openLetter,
  readSecret,
} from "./harness/forms.ts";
import { hasFocus } from "./harness/keyboard.ts";
import { soon } from "./harness/soon.ts";

const RESET = "/reset?token=";
const NEW_PASSWORD = "An-entirely-different-lantern";

const isIn = (page: Page) => page.getByRole("navigation", { name: "Main" }).waitFor();
const isDead = (page: Page) =>
  page.getByRole("heading", { name: "This link does not work any more" }).waitFor();
const isRefused = (page: Page) => page.getByRole("main").getByRole("alert").waitFor();

async function ask(page: Page, email: string): Promise<void> {
  await page.goto("/log-in");
  await page.getByRole("link", { name: "Forgotten your password?" }).click();
  // The log-in has a field of the same name, and stays until this page is here.
  await page.getByRole("heading", { name: "Forgotten password" }).waitFor();
  await page.getByLabel("E-mail").fill(email);
  await page.getByRole("button", { name: "Send me the link" }).click();
  await page.getByRole("heading", { name: "Look into your mailbox" }).waitFor();
}

async function setPassword(page: Page, password: string): Promise<void> {
  await page.getByLabel("New password").fill(password);
  await page.getByRole("button", { name: "Set password" }).click();
}

describeInBrowser("somebody who", () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.open();
  });
  afterAll(() => desk?.close());

  test("has forgotten the password sets a new one, once, and still needs the app", async () => {
    const email = "forgot@account.example";
    const person = await signUp(desk.origin, email);
    const before = await desk.tab({ signedIn: person.browser });
    await before.page.goto("/settings/profile");
    await isIn(before.page);

    const tab = await desk.tab();
    const { page } = tab;
    await ask(page, email);
    const link = await linkTo(desk.origin, email, RESET);
    const slow = await desk.tab();
    await slow.page.goto(link);
    await openLetter(page, desk.origin, email, RESET);
    await setPassword(page, "password1234");
    await isRefused(page);
    await setPassword(page, NEW_PASSWORD);
    // The link alone opens no door.
    await page.getByRole("heading", { name: "Enter your code" }).waitFor();
    await giveCode(page, await person.app.next());
    await isIn(page);

    // Whoever was signed in is out, and sees it.
    await findsItselfOut(before.page);
    await before.close();

    const stranger = await desk.tab();
    await givePassword(stranger.page, email, person.password);
    await isRefused(stranger.page);
    await stranger.page.goto(link);
    // Nobody thinks of a password in vain.
    await isDead(stranger.page);
    await stranger.page.getByRole("link", { name: "Ask for a new one" }).click();
    await stranger.page.getByRole("heading", { name: "Forgotten password" }).waitFor();
    await stranger.close();
    // Only whoever had the form open before is told when it is sent.
    await setPassword(slow.page, "Somebody-elses-quiet-lantern");
    await isDead(slow.page);
    await slow.close();
    await tab.close();
  });

  test("comes with a link that is too old is told, and the password stays", async () => {
    const email = "late@account.example";
    const person = await signUp(desk.origin, email);
    const tab = await desk.tab();
    const { page } = tab;
    await ask(page, email);
    await linkTo(desk.origin, email, RESET);
    const { rowCount } = await desk.database.query(
      `update person_links set expires_at = now() - interval '1 second'
        where email = $1 and kind = 'Reset'`,
      [email],
    );
    expect(rowCount).toBe(1);
    await openLetter(page, desk.origin, email, RESET);
    await isDead(page);
    await page.goto("/reset");
    await isDead(page);
    await givePassword(page, email, person.password);
    await page.getByRole("heading", { name: "Enter your code" }).waitFor();
    await tab.close();
  });

  test("has lost the phone comes in with a recovery code, once, and makes new ones", async () => {
    const email = "lost@account.example";
    const person = await signUp(desk.origin, email);
    const [first = "", second = "", third = ""] = person.recoveryCodes;
    const tab = await desk.tab();
    const { page } = tab;
    await givePassword(page, email, person.password);
    await giveRecoveryCode(page, first);
    await page.getByText("9 recovery codes are left").waitFor();
    await page.goto("/settings/profile");
    await page.getByText("9 left").waitFor();

    const again = await desk.tab();
    await givePassword(again.page, email, person.password);
    await giveRecoveryCode(again.page, first);
    await isRefused(again.page);
    await again.close();

    await page.getByRole("button", { name: "Renew the recovery codes" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("6-digit code").fill("000000");
    await dialog.getByRole("button", { name: "Make new codes" }).click();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByRole("button", { name: "Use a recovery code" }).click();
    await dialog.getByLabel("Recovery code").fill(second);
    await dialog.getByRole("button", { name: "Make new codes" }).click();
    const codes = page.locator("[data-recovery-code]");
    await codes.first().waitFor();
    const fresh = await codes.allInnerTexts();
    expect(fresh).toHaveLength(10);
    // Escape does not throw away what is shown once.
    await page.keyboard.press("Escape");
    await page.getByLabel("I have kept these codes").check();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("10 left").waitFor();
    const renew = page.getByRole("button", { name: "Renew the recovery codes" });
    await soon(() => hasFocus(renew)).toBe(true);
    await tab.close();

    const later = await desk.tab();
    await givePassword(later.page, email, person.password);
    await giveRecoveryCode(later.page, third);
    await isRefused(later.page);
    await later.page.getByLabel("Recovery code").fill(fresh[0] ?? "");
    await later.page.getByRole("button", { name: "Log in", exact: true }).click();
    await isIn(later.page);
    await later.close();
  });

  test("is signed out elsewhere sees it, though nobody clicks", async () => {
    const person = await signUp(desk.origin, "elsewhere@account.example");
    const tab = await desk.tab({ signedIn: person.browser });
    const { page } = tab;
    const listens = page.waitForResponse("**/dashboard/live");
    await page.goto("/settings/profile");
    await isIn(page);
    await listens;
    // A line that does not come back tells nothing more: the page has to ask when it ends.
    await page.route("**/dashboard/live", () => undefined);
    await person.browser.post("/dashboard/log-out");
    await findsItselfOut(page);
    expect(page.url()).toContain("next=%2Fsettings%2Fprofile");
    await tab.close();
  });

  test("has a new phone changes the authenticator, and only the new one counts", async () => {
    const email = "phone@account.example";
    const person = await signUp(desk.origin, email);
    const tab = await desk.tab({ signedIn: person.browser });
    const { page } = tab;
    await page.goto("/settings/profile");
    await page.getByRole("button", { name: "Change the authenticator" }).click();
    await page.getByLabel("6-digit code").fill(await person.app.next());
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("img", { name: /QR code/ }).waitFor();
    const app = await appWith(await readSecret(page));
    const dialog = page.getByRole("dialog", { name: "Set up the new app" });
    await dialog.getByLabel("6-digit code").fill("000000");
    await dialog.getByRole("button", { name: "Use this app from now on" }).click();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByLabel("6-digit code").fill(await app.next());
    await dialog.getByRole("button", { name: "Use this app from now on" }).click();
    await page.getByText("Codes now come from the new app").waitFor();
    // The session goes on, with what changes things too.
    await page.goto("/settings/audit");
    await page.getByRole("cell", { name: "Totp replaced" }).waitFor();
    await tab.close();

    const later = await desk.tab();
    await givePassword(later.page, email, person.password);
    await giveCode(later.page, await person.app.next());
    await isRefused(later.page);
    await giveCode(later.page, await app.next());
    await isIn(later.page);
    await later.close();
  });
});
