import type { Locator, Page } from "playwright-core";
import { soon } from "./soon.ts";

const MAX_TABS = 60;

/** What shows that something has the focus: a frame around it, the field it stands in, or the row it opens. */
const looksOf = (target: Locator): Promise<string> =>
  target.evaluate((element) =>
    ([[element], [element.parentElement ?? element], [element, "::after"]] as const)
      .map((each) => element.ownerDocument.defaultView?.getComputedStyle(...each))
      .map((style) => [style?.outline, style?.borderColor, style?.boxShadow].join(" "))
      .join(" "),
  );

export const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === element.ownerDocument.activeElement);

/** Walks with the Tab key until something has the focus, and shows that it has. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  if (await hasFocus(target)) return;
  const before = await looksOf(target);
  for (let steps = 0; steps < MAX_TABS; steps += 1) {
    await page.keyboard.press("Tab");
    if (!(await hasFocus(target))) continue;
    await soon(() => looksOf(target)).not.toBe(before);
    return;
  }
  throw new Error(`The Tab key does not lead to ${target}.`);
}
