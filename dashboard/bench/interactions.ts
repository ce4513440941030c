import type { Page } from "playwright-core";
import type { Browser as SignedInBrowser } from "../../server/test/harness/dashboard.ts";
import { openChromium } from "../test/harness/find-chromium.ts";
import { putStopwatch, timeOf } from "./stopwatch.ts";

/** What people do most, and how long each took, in milliseconds. */
export interface InteractionTimes {
  screenMs: number[];
  detailMs: number[];
  filterMs: number[];
  dialogMs: number[];
  freezeMs: number[];
  searchMs: number[];
}

const SCREENS = ["Cards", "Transactions", "Customers", "Wallets", "Events", "Home"];
const HEADING = `document.querySelector("h1")?.textContent`;
const IS_LOADED = `document.querySelector("[aria-label=Loading]") === null`;
const DIALOG = `document.querySelector("[role=dialog]")`;

/** Does everything several times with a real browser; an organization with cards is signed in. */
export async function timeInteractions(
  { origin, cookies }: Pick<SignedInBrowser, "origin" | "cookies">,
  rounds: number,
): Promise<InteractionTimes> {
  const browser = await openChromium();
  try {
    const context = await browser.newContext({ baseURL: origin, locale: "en-US" });
    await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: origin })));
    const page = await context.newPage();
    await page.goto("/");
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
    await putStopwatch(page);
    // Once unmeasured: a screen's script is fetched and compiled when it is opened for the first time.
    await playRound(page, noTimes(), 0);
    const times = noTimes();
    for (let round = 0; round < rounds; round++) await playRound(page, times, round);
    return times;
  } finally {
    await browser.close();
  }
}

const noTimes = (): InteractionTimes => ({
  screenMs: [],
  detailMs: [],
  filterMs: [],
  dialogMs: [],
  freezeMs: [],
  searchMs: [],
});

async function playRound(page: Page, times: InteractionTimes, round: number): Promise<void> {
  const note: Note = async (name, isShown, act) => {
    times[name].push(await timeOf(page, isShown, act));
  };
  const open = (name: string) =>
    page.getByRole("navigation").getByRole("link", { name, exact: true }).click();
  for (const name of SCREENS) {
    await note("screenMs", `${HEADING} === "${name}" && ${IS_LOADED}`, () => open(name));
  }
  await open("Cards");
  await page.getByRole("heading", { level: 1, name: "Cards" }).waitFor();
  const status = page.getByLabel("Status");
  const shows = (word: string) =>
    `[...document.querySelectorAll("tbody tr[aria-rowindex]")].every((row) => row.textContent.includes("${word}"))`;
  await note("filterMs", `${shows("Active")} && location.search.includes("Active")`, () =>
    status.selectOption("Active"),
  );
  const row = page.getByRole("table").getByRole("link").nth(round);
  await note("detailMs", `/^••/.test(${HEADING}) && ${IS_LOADED}`, () => row.click());
  await playDialogs(page, note);
  await playSearch(page, note);
}

type Note = (
  name: keyof InteractionTimes,
  isShown: string,
  act: () => Promise<unknown>,
) => Promise<void>;

async function playDialogs(page: Page, note: Note): Promise<void> {
  const opacity = `getComputedStyle(${DIALOG}.closest(".mantine-Modal-content") ?? ${DIALOG}).opacity`;
  const isLeaving = `(${DIALOG} === null || Number(${opacity}) < 1)`;
  await note("dialogMs", `${DIALOG} !== null`, () =>
    page.getByRole("button", { name: "Top up" }).click(),
  );
  // Somebody looks at it for a moment, while it comes into full view.
  await page.waitForTimeout(500);
  await note("dialogMs", isLeaving, () => page.keyboard.press("Escape"));
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  for (const [verb, status] of [
    ["Freeze", "Frozen"],
    ["Unfreeze", "Active"],
  ]) {
    await page.getByRole("button", { name: "Actions" }).click();
    await page.getByRole("menuitem", { name: verb ?? "", exact: true }).click();
    const confirm = page.getByRole("button", { name: `${verb} the card` });
    await note("freezeMs", `${HEADING}.includes("${status}")`, () => confirm.click());
    await page.getByRole("dialog").waitFor({ state: "hidden" });
  }
}

async function playSearch(page: Page, note: Note): Promise<void> {
  await note("searchMs", `${DIALOG}?.contains(document.activeElement)`, () =>
    page.keyboard.press("Control+k"),
  );
  const hasCards = `[...document.querySelectorAll("[role=option]")].some((hit) => hit.textContent.includes("1111"))`;
  await page.keyboard.type("111");
  await note("searchMs", hasCards, () => page.keyboard.press("1"));
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
}
