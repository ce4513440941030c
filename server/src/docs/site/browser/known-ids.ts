import { fillSamples, idsIn } from "../shared/sample-id.ts";
import { all } from "./dom.ts";
import { forget, recall, remember } from "./session.ts";

const KEY = "florin.docs.ids";

/** Keeps the ids of an answer, so that the next request can be about what this one made. */
export function learnIds(json: string): void {
  remember(KEY, { ...recall(KEY), ...idsIn(json) });
  fillForms();
}

export function forgetIds(): void {
  forget(KEY);
}

/** Fills in what nobody has typed into: empty parameters by their placeholder, bodies by their examples. */
export function fillForms(): void {
  const known = recall(KEY);
  for (const input of all('[data-try] input[name^="path."]', HTMLInputElement)) {
    if (input.dataset.typed !== undefined) continue;
    const filled = fillSamples(input.placeholder, known);
    if (filled !== input.placeholder) input.value = filled;
  }
  for (const area of all("[data-try] textarea", HTMLTextAreaElement)) {
    if (area.dataset.typed === undefined) area.value = fillSamples(area.defaultValue, known);
  }
}

export function watchTyping(): void {
  document.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLElement) target.dataset.typed = "";
  });
}
