import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { logInOwner, type SignedIn, signUp } from "../../server/test/harness/dashboard.ts";
import { describeInBrowser } from "./harness/chromium.ts";
import { Desk, type Tab } from "./harness/desk.ts";
import { findsItselfOut, giveCode, openLetter, registerHere } from "./harness/forms.ts";
import { hasFocus } from "./harness/keyboard.ts";
import { issueCard } from "./harness/seed.ts";
import { soon } from "./harness/soon.ts";

const PHONE_WIDTH_PX = 390;
const REGISTRATION = "/registration?token=";

interface Guest {
  name: string;
  email: string;
  role: string;
}

const sam: Guest = { name: "Sam Support", email: "sam@team.example", role: "Support" };
const vera: Guest = { name: "Vera Viewer", email: "vera@team.example", role: "Viewer" };
const gone: Guest = { name: "Gil Gone", email: "gil@team.example", role: "Finance" };

/** Invites from the page of the team. */
async function invite(page: Page, { name, email, role }: Guest): Promise<void> {
  await page.getByRole("button", { name: "Invite" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("E-mail").fill(email);
  await dialog.getByLabel("Role").selectOption(role);
  await dialog.getByRole("button", { name: "Send the invitation" }).click();
  await page.getByRole("cell", { name: email }).waitFor();
  await dialog.waitFor({ state: "hidden" });
}

/** What the server says to a request of this page, whatever the page itself shows. */
function statusOf(page: Page, method: string, path: string, body: object): Promise<number> {
  return page.evaluate(
    async ([verb, target, text]) => {
      const me = (await (await fetch("/dashboard/me")).json()) as { data: { csrfToken: string } };
      const headers = {
        "content-type": "application/json",
        "x-csrf-token": me.data.csrfToken,
        reference: crypto.randomUUID().slice(0, 30),
      };
      return (await fetch(target, { method: verb, headers, body: text })).status;
    },
    [method, path, JSON.stringify(body)] as const,
  );
}

describeInBrowser("an owner and the team", () => {
  let desk: Desk;
  let owner: SignedIn;
  let cardId: string;
  let office: Tab;
  const tabs = new Map<Guest, Tab>();
  const pageOf = (guest: Guest): Page => {
    const tab = tabs.get(guest);
    if (tab === undefined) throw new Error(`${guest.name} has not come yet.`);
    return tab.page;
  };
  beforeAll(async () => {
    desk = await Desk.open();
    owner = await logInOwner(desk.service.sandbox);
    ({ cardId } = await issueCard(desk.service.client));
    office = await desk.tab({ signedIn: owner.browser });
    await office.page.goto("/settings/team");
  });
  afterAll(() => desk?.close());

  test("two are invited and register with their links", async () => {
    for (const guest of [sam, vera]) await invite(office.page, guest);
    for (const guest of [sam, vera]) {
      const tab = await desk.tab();
      tabs.set(guest, tab);
      await openLetter(tab.page, desk.origin, guest.email, REGISTRATION);
      await tab.page.getByText(`You are invited as ${guest.role}`).waitFor();
      await registerHere(tab.page);
    }
    await office.page.reload();
    await office.page.getByText("Nobody is invited at the moment.").waitFor();
    for (const { name, role } of [sam, vera]) {
      await office.page.getByLabel(`Role of ${name}: ${role}`).waitFor();
    }
  });

  test("each sees what the role is for, and the server holds to it", async () => {
    const counts = async (page: Page, names: string[]) =>
      Promise.all(names.map((name) => page.getByRole("button", { name }).count()));
    const names = ["Actions", "Show the full number", "Top up"];
    for (const guest of [sam, vera]) {
      await pageOf(guest).goto(`/cards/${cardId}`);
      await pageOf(guest).getByRole("heading", { name: "Balance" }).waitFor();
      expect(await pageOf(guest).getByRole("link", { name: "Credentials" }).count()).toBe(0);
      expect(await pageOf(guest).getByRole("link", { name: "Audit log" }).count()).toBe(0);
    }
    expect(await counts(pageOf(sam), names)).toEqual([1, 1, 0]);
    expect(await counts(pageOf(vera), names)).toEqual([0, 0, 0]);

    const freeze = `/api/v1/cards/${cardId}/freeze`;
    expect(await statusOf(pageOf(vera), "POST", freeze, {})).toBe(403);
    expect(await statusOf(pageOf(sam), "POST", freeze, {})).toBe(200);
    const topUp = `/api/v1/cards/${cardId}/top-up`;
    expect(await statusOf(pageOf(sam), "POST", topUp, { amount: 1 })).toBe(403);
    const guest = { name: "Eve", email: "eve@team.example", role: "Owner" };
    for (const page of [pageOf(sam), pageOf(vera)]) {
      expect(await statusOf(page, "POST", "/dashboard/invitations", guest)).toBe(403);
    }
    await pageOf(vera).goto("/settings/team");
    await pageOf(vera).getByRole("cell", { name: "Sam Support" }).waitFor();
    expect(await pageOf(vera).getByRole("button", { name: "Invite" }).count()).toBe(0);
    expect(await pageOf(vera).getByRole("combobox").count()).toBe(0);
    // What a new card would take from the wallet is not Support's to give.
    await pageOf(sam).goto("/cards/issue");
    await pageOf(sam).getByRole("button", { name: "Issue the card" }).waitFor();
    expect(
      await pageOf(sam)
        .getByLabel(/balance/i)
        .count(),
    ).toBe(0);
    expect(await pageOf(sam).getByRole("radio", { name: "Lite" }).count()).toBe(0);
    // Who knows the address of a screen for others finds no form there.
    await pageOf(vera).goto("/sandbox/terminal");
    await pageOf(vera).getByRole("heading", { name: "Not for your role" }).waitFor();
    expect(await pageOf(vera).getByRole("button", { name: "Buy" }).count()).toBe(0);
  });

  test("an owner reaches everything on a phone without scrolling sideways", async () => {
    const tab = await desk.tab({
      signedIn: owner.browser,
      viewport: { width: PHONE_WIDTH_PX, height: 844 },
    });
    const { page } = tab;
    await page.goto("/settings/team");
    const ends = async (target: Locator) => {
      await target.waitFor();
      const { x = 0, width = 0 } = (await target.boundingBox()) ?? {};
      return x + width;
    };
    for (const { name } of [sam, vera]) {
      const field = page.getByLabel(`Role of ${name}`);
      expect(await ends(field)).toBeLessThanOrEqual(PHONE_WIDTH_PX);
      const button = page.getByRole("button", { name: `Remove ${name}` });
      expect(await ends(button)).toBeLessThanOrEqual(PHONE_WIDTH_PX);
    }
    await tab.close();
  });

  test("another role counts with the next look", async () => {
    const { page } = office;
    await page.getByLabel("Role of Vera Viewer").click();
    await page.getByLabel("Role", { exact: true }).selectOption("Finance");
    await page.getByRole("button", { name: "Save the role" }).click();
    await page.getByText("Vera Viewer's role is changed").waitFor();
    await pageOf(vera).goto(`/cards/${cardId}`);
    await pageOf(vera).getByRole("button", { name: "Top up" }).waitFor();
    const topUp = `/api/v1/cards/${cardId}/top-up`;
    expect(await statusOf(pageOf(vera), "POST", topUp, { amount: 1 })).toBe(200);
  });

  test("nobody gets a role while the keyboard walks through all of them", async () => {
    const { page } = office;
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() !== "GET") sent.push(request.url());
    });
    await page.getByLabel("Role of Sam Support").focus();
    await page.keyboard.press("Enter");
    const role = page.getByLabel("Role", { exact: true });
    await role.waitFor();
    await soon(() => hasFocus(role)).toBe(true);
    for (const passed of ["Finance", "Developer", "Owner"]) {
      await page.keyboard.press("ArrowUp");
      await soon(() => role.inputValue()).toBe(passed);
    }
    await page.getByText("Everything, including people and their roles.").first().waitFor();
    await page.keyboard.press("Escape");
    await role.waitFor({ state: "detached" });
    await page.getByLabel("Role of Sam Support: Support").waitFor();
    expect(sent).toEqual([]);
  });

  test("whoever is removed is out at once", async () => {
    await pageOf(sam).goto("/cards");
    await pageOf(sam).getByRole("heading", { name: "Cards" }).waitFor();
    await office.page.getByRole("button", { name: "Remove Sam Support" }).click();
    await office.page.getByRole("button", { name: "Remove from the team" }).click();
    await office.page.getByRole("cell", { name: sam.email }).waitFor({ state: "hidden" });
    await findsItselfOut(pageOf(sam));
    await logInAnother(pageOf(sam));
    await tabs.get(sam)?.close();
    await tabs.get(vera)?.close();
  });

  /** Somebody of another organization, in the same tab, finds nothing of what was there before. */
  async function logInAnother(page: Page): Promise<void> {
    const stranger = await signUp(desk.origin, "stranger@elsewhere.example");
    await page.getByLabel("E-mail").fill(stranger.email);
    await page.getByLabel("Password", { exact: true }).fill(stranger.password);
    await page.getByRole("button", { name: "Continue" }).click();
    // The service's own answer is kept back: what shows now can only be left over.
    await page.route("**/api/v1/cards*", () => undefined);
    await giveCode(page, await stranger.app.next());
    await page.getByRole("navigation", { name: "Main" }).waitFor();
    // The log-in leads back to where the last person was.
    await page.getByRole("heading", { name: "Cards" }).waitFor();
    await page.getByRole("status", { name: "Loading" }).first().waitFor();
    expect(await page.locator("body").innerText()).not.toContain("Ada Obi");
  }

  test("the last owner can be neither removed nor demoted", async () => {
    const { page } = office;
    const { person } = await owner.browser.me();
    const role = page.getByLabel(`Role of ${person.name}`);
    await role.click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Role", { exact: true }).selectOption("Viewer");
    await dialog.getByRole("button", { name: "Save the role" }).click();
    await dialog.getByText("The last owner of an organization stays its owner").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await role.innerText()).toBe("Owner");
    expect(await page.getByRole("button", { name: `Remove ${person.name}` }).count()).toBe(0);
    const own = `/dashboard/people/${person.personId}`;
    expect(await statusOf(page, "DELETE", own, {})).toBe(422);
  });

  test("an invitation that could not be looked up is not taken for a dead one", async () => {
    const { page } = office;
    await invite(page, gone);
    const tab = await desk.tab();
    const lookUp = "**/dashboard/registration?*";
    await tab.page.route(lookUp, (route) => route.fulfill({ status: 503 }));
    await openLetter(tab.page, desk.origin, gone.email, REGISTRATION);
    await tab.page.getByRole("alert").waitFor();
    await tab.page.unroute(lookUp);
    await tab.page.getByRole("button", { name: "Try again" }).click();
    await tab.page.getByLabel("Your name").waitFor();
    await tab.close();
  });

  test("an invitation that is withdrawn opens nothing", async () => {
    const { page } = office;
    await page.getByRole("button", { name: `Withdraw the invitation of ${gone.name}` }).click();
    await page.getByText("Nobody is invited at the moment.").waitFor();
    const tab = await desk.tab();
    await openLetter(tab.page, desk.origin, gone.email, REGISTRATION);
    await tab.page.getByRole("heading", { name: "This link does not work any more" }).waitFor();
    await tab.close();
    await office.close();
  });
});
