import type { Page } from "playwright-core";
import { Authenticator, GOOD_PASSWORD, linkTo } from "../../../server/test/harness/dashboard.ts";

/** Fills in the first half of the log-in. */
export async function givePassword(page: Page, email: string, password: string): Promise<void> {
  await page.goto("/log-in");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Continue" }).click();
}

/** The second half, with a code of the app. */
export async function giveCode(page: Page, code: string): Promise<void> {
  await page.getByLabel("6-digit code").fill(code);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
}

/** Or with one for whoever has lost it. */
export async function giveRecoveryCode(page: Page, code: string): Promise<void> {
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  await page.getByLabel("Recovery code").fill(code);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
}

/** Opens the link in the latest letter to somebody, as a reader of the mailbox does. */
export async function openLetter(
  page: Page,
  origin: string,
  email: string,
  contains: string,
): Promise<void> {
  await linkTo(origin, email, contains);
  await page.goto("/mailbox");
  await page.getByText(`to ${email}`).first().click();
  await page.getByRole("link", { name: "Open the link" }).click();
}

/** Waits until a page shows that its session has ended. Nobody clicks: it is told. */
export async function findsItselfOut(page: Page): Promise<void> {
  await page.getByRole("heading", { name: "Log in" }).waitFor();
}

/** The secret that an authenticator app would scan. */
export async function readSecret(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Cannot scan? Type the secret" }).click();
  return page.locator("code", { hasText: /^[A-Z2-7]{16,}$/ }).innerText();
}

/** An app whose codes count for half a minute at least: a page is not filled in at once, as a request is. */
export async function appWith(secret: string): Promise<Authenticator> {
  const app = new Authenticator(secret);
  await app.next();
  return app;
}

/** From the page of a registration to the first page behind it. */
export async function registerHere(page: Page): Promise<Authenticator> {
  await page.getByLabel("Password", { exact: true }).fill(GOOD_PASSWORD);
  await page.getByRole("button", { name: "Continue" }).click();
  const app = await appWith(await readSecret(page));
  await page.getByLabel("6-digit code").fill(await app.next());
  await page.getByRole("button", { name: "Turn it on" }).click();
  await page.getByLabel("I have kept these codes").check();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  return app;
}
