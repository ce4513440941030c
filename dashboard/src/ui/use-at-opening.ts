import { useState } from "react";

/** What something was when a dialog opened: what it asks stays the same while somebody reads it. */
export function useAtOpening<Value>(isOpen: boolean, now: Value): Value {
  const [kept, setKept] = useState({ isOpen, value: now });
  if (kept.isOpen === isOpen) return kept.value;
  const value = isOpen ? now : kept.value;
  setKept({ isOpen, value });
  return value;
}
