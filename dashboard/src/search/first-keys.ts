/** Runs it when the browser has nothing better to do, unless it is taken back before. */
export function whenIdle(run: () => void): () => void {
  // Not every browser tells when it is idle.
  if (typeof requestIdleCallback !== "function") {
    const timer = setTimeout(run, 1_000);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(run, { timeout: 5_000 });
  return () => cancelIdleCallback(handle);
}

type Key = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">;

/** The words after a key, as a field would have them. */
export function typedInto(words: string, { key, ctrlKey, metaKey, altKey }: Key): string {
  if (ctrlKey || metaKey || altKey) return words;
  if (key === "Backspace") return words.slice(0, -1);
  return key.length === 1 ? words + key : words;
}
