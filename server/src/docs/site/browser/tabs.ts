import { all } from "./dom.ts";
import { recall, remember } from "./session.ts";

const KEY = "florin.docs.tab";

/** A language chosen once is chosen everywhere, on the pages to come too. */
export function startTabs(): void {
  const radios = all("[data-tab]", HTMLInputElement);
  const choose = (value: string): void => {
    for (const radio of radios) if (radio.value === value) radio.checked = true;
  };
  const { chosen } = recall(KEY);
  if (chosen !== undefined) choose(chosen);
  for (const radio of radios) {
    radio.addEventListener("change", () => {
      // Trying one operation is not a choice for all of them.
      if (radio.value === "try") return;
      keepInPlace(radio, () => choose(radio.value));
      remember(KEY, { chosen: radio.value });
    });
  }
}

/** Panels above may change their height; what was clicked stays under the pointer. */
function keepInPlace(anchor: HTMLElement, change: () => void): void {
  const before = anchor.getBoundingClientRect().top;
  change();
  scrollBy({ top: anchor.getBoundingClientRect().top - before, behavior: "instant" });
}
