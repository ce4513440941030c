const SHOWN_MS = 1_500;

/** Every copy button copies the code beside it, also those of code that comes later. */
export function startCopyButtons(): void {
  document.addEventListener("click", async ({ target }) => {
    const button = target instanceof Element ? target.closest("[data-copy]") : null;
    const code = button?.parentElement?.querySelector("code")?.textContent;
    if (button === null || code === undefined || code === null) return;
    button.textContent = (await isCopied(code)) ? "Copied" : "Not allowed";
    setTimeout(() => {
      button.textContent = "Copy";
    }, SHOWN_MS);
  });
}

/** Browsers allow it in secure contexts only, and a person may forbid it. */
async function isCopied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
