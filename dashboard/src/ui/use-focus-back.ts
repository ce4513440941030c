import { useEffect } from "react";

/** The last thing outside all dialogs that opened one. */
let opener: HTMLElement | undefined;

/**
 * Gives the focus back to whatever opened a dialog, once that is closed or taken away. A dialog that
 * follows upon another, or that was opened from a menu, goes back to where it all began.
 */
export function useFocusBack(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return;
    opener = openerOf(document.activeElement) ?? opener;
    return () => void setTimeout(giveBack);
  }, [isOpen]);
}

function openerOf(active: Element | null): HTMLElement | undefined {
  if (!(active instanceof HTMLElement) || active === document.body) return undefined;
  if (active.closest("[role=dialog]") !== null) return undefined;
  const menu = active.closest("[role=menu]");
  if (menu === null) return active;
  return document.getElementById(menu.getAttribute("aria-labelledby") ?? "") ?? undefined;
}

/** What opened it may be gone, as a button that works once; then the content takes over. */
function giveBack(): void {
  const target = opener?.isConnected === true ? opener : document.getElementById("content");
  target?.focus({ preventScroll: true });
}
