import { all, first } from "./dom.ts";

/** Finds operations by words in their title, method or path. */
export function startFilter(): void {
  const input = first("[data-filter]", HTMLInputElement);
  if (input === undefined) return;
  const wasOpen = new Set(groups().filter((group) => group.open));
  input.addEventListener("input", () => filter(input.value, wasOpen));
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter")
      first("[data-filter-text]:not([hidden]) a", HTMLAnchorElement)?.click();
    if (event.key !== "Escape" || input.value === "") return;
    event.preventDefault();
    input.value = "";
    filter("", wasOpen);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || isTyping(event.target)) return;
    event.preventDefault();
    input.focus();
  });
}

const groups = (): HTMLDetailsElement[] => all("[data-filter-group]", HTMLDetailsElement);

function filter(text: string, wasOpen: Set<HTMLDetailsElement>): void {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  for (const group of groups()) {
    const items = all("[data-filter-text]", HTMLElement, group);
    for (const item of items) {
      item.hidden = !words.every((word) => item.dataset.filterText?.includes(word));
    }
    group.hidden = items.every((item) => item.hidden);
    group.open = words.length > 0 ? !group.hidden : wasOpen.has(group);
  }
  const nothing = first("[data-filter-nothing]", HTMLElement);
  if (nothing !== undefined) nothing.hidden = groups().some((group) => !group.hidden);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest("input, textarea, select, [contenteditable]") !== null
  );
}
