import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { linkTo, logInOwner, type SignedIn } from "../../server/test/harness/dashboard.ts";
import { describeInBrowser } from "./harness/chromium.ts";
import { Desk } from "./harness/desk.ts";
import { furnish } from "./harness/seed.ts";
import { soon } from "./harness/soon.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PHONE_WIDTH_PX = 390;
const SMALL_DESK_WIDTH_PX = 1024;

const OPEN = ["/log-in", "/sign-up", "/forgotten-password", "/reset", "/mailbox"];
const SCREENS = [
  "/",
  "/cards",
  "/cards/issue",
  "/cards/:cardId",
  "/cards/:cardId?tab=controls",
  "/cards/:cardId?tab=charges",
  "/cards/:cardId?tab=details",
  "/transactions",
  "/transactions?stage=Expired",
  "/transactions/:approvedId",
  "/transactions/:declinedId",
  "/customers",
  "/customers/verify",
  "/customers/:customerId",
  "/customers/:longNameId",
  "/verifications/:kycToken",
  "/wallets",
  "/wallets/:walletId",
  "/events",
  "/events/:eventId",
  "/sandbox/terminal",
  "/sandbox/tools",
  "/settings/credentials",
  "/settings/authorization",
  "/settings/webhooks",
  "/settings/webhooks/:webhookEndpointId",
  "/settings/requests",
  "/settings/team",
  "/settings/audit",
  "/settings/profile",
  "/nowhere",
];

describeInBrowser("every screen", () => {
  let desk: Desk;
  let owner: SignedIn;
  let ids: Record<string, string>;
  beforeAll(async () => {
    desk = await Desk.open();
    owner = await logInOwner(desk.service.sandbox);
    ids = await furnish(desk.service.client);
  });
  afterAll(() => desk?.close());

  test("can be read and worked by everyone, light and dark, and fits a phone", {
    timeout: 300_000,
  }, async () => {
    const stranger = await desk.tab({ reducedMotion: "reduce" });
    const known = await desk.tab({ reducedMotion: "reduce", signedIn: owner.browser });
    const found: string[] = [];
    const { email } = owner;
    await owner.browser.post("/dashboard/password/forgotten", { email });
    const link = new URL(await linkTo(desk.origin, email, "/reset?token="));
    const open = [...OPEN, link.pathname + link.search];
    for (const path of open) found.push(...(await look(stranger.page, path)));
    for (const path of SCREENS) {
      const address = path.replace(/:(\w+)/, (_all, name: string) => ids[name] ?? name);
      found.push(...(await look(known.page, address)));
    }
    found.push(...(await lookAtAuditEntry(known.page)));
    expect(found).toEqual([]);
    await stranger.close();
    await known.close();
  });
});

async function look(page: Page, path: string): Promise<string[]> {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(path);
  await page.getByRole("heading", { level: 1 }).waitFor({ state: "attached" });
  await soon(() => page.getByRole("status", { name: "Loading" }).count()).toBe(0);
  await page.addStyleTag({ content: "* { transition: none !important }" });
  await page.evaluate(axe);
  const violations = await violationsOn(page, "axe.run(document)");
  violations.push(...(await unevenOn(page)));
  await page.emulateMedia({ colorScheme: "dark" });
  // Nothing but the colours is another in the dark.
  violations.push(
    ...(await violationsOn(page, "axe.run(document, { runOnly: ['color-contrast'] })")),
  );
  await page.setViewportSize({ width: PHONE_WIDTH_PX, height: 844 });
  violations.push(...(await tooWideOn(page)), ...(await cutTimesOn(page)));
  violations.push(...(await unevenOn(page)));
  await page.setViewportSize({ width: SMALL_DESK_WIDTH_PX, height: 844 });
  violations.push(...(await cutTimesOn(page)));
  return violations.map((violation) => `${path}: ${violation}`);
}

async function lookAtAuditEntry(page: Page): Promise<string[]> {
  await page.goto("/settings/audit");
  await page.locator("tbody button").first().click();
  await page.getByRole("dialog").waitFor();
  await page.evaluate(axe);
  const violations = await violationsOn(page, "axe.run(document)");
  return violations.map((violation) => `an entry of the audit log: ${violation}`);
}

/** What reaches beyond a phone's edge, other than what scrolls by itself. */
async function tooWideOn(page: Page): Promise<string[]> {
  const width = Number(await page.evaluate("document.documentElement.scrollWidth"));
  if (width <= PHONE_WIDTH_PX) return [];
  const culprits = `[...document.querySelectorAll("main *")]
    .filter((element) => element.getBoundingClientRect().right > ${PHONE_WIDTH_PX + 1})
    .slice(0, 4).map((element) => element.outerHTML.slice(0, 90)).join(" | ")`;
  return [`${width} px wide on a phone: ${await page.evaluate(culprits)}`];
}

/** Fields and facts that stand in one row, the one lower than the other because its name is longer. */
async function unevenOn(page: Page): Promise<string[]> {
  const places = await page.locator("main :is(dt, label[for]):visible").evaluateAll((names) => {
    const rows = [...new Set(names.map((name) => name.parentElement?.parentElement))];
    return names.map((name) => {
      const { parentElement: place, ownerDocument, textContent } = name;
      const named = ownerDocument.getElementById(name.getAttribute("for") ?? "");
      const top = (element: typeof place) => Math.round(element?.getBoundingClientRect().top ?? 0);
      return {
        name: textContent,
        row: `${rows.indexOf(place?.parentElement)} at ${top(place)}`,
        // A fact is what follows upon its name.
        top: top(named ?? place?.querySelector("dd") ?? null),
      };
    });
  });
  const heights = new Map(places.map(({ row, top }) => [row, top]));
  return places
    .filter(({ row, top }) => heights.get(row) !== top)
    .map(({ name }) => `${name}: not level with what stands beside it`);
}

/** A time without its end could be in the morning or in the evening. */
async function cutTimesOn(page: Page): Promise<string[]> {
  const cells = page.locator("td:visible:has(> time)");
  const cut = await cells.evaluateAll((all) =>
    all.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
  );
  return cut.slice(0, 1).map((text) => `cut off: ${text}`);
}

async function violationsOn(page: Page, run: string): Promise<string[]> {
  const { violations } = (await page.evaluate(run)) as AxeResults;
  return violations.map(({ id, nodes }) => `${id} at ${nodes[0]?.html.slice(0, 120)}`);
}
