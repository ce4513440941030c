/** What this tab remembers until it is closed. Without storage it remembers nothing, and works. */
export function recall(key: string): Record<string, string> {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "{}");
  } catch {
    return {};
  }
}

export function remember(key: string, value: Record<string, string>): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing is what its owner wanted.
  }
}

export function forget(...keys: string[]): void {
  try {
    for (const key of keys) sessionStorage.removeItem(key);
  } catch {
    // Nothing was kept, so there is nothing to forget.
  }
}
