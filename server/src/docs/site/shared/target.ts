export interface Target {
  /** Where the browser sends the request. */
  address: string;
  /** What the service expects to be signed. */
  signedUrl: string;
}

/**
 * Fills in a path template and a query. The page may be open under another name of the service
 * (localhost for 127.0.0.1), so the request goes to the page's own origin, while the signature is
 * made over the service's public address.
 */
export function targetOf(
  page: { origin: string; apiUrl: string },
  template: string,
  path: Record<string, string>,
  query: readonly (readonly [name: string, value: string])[],
): Target {
  const filled = template.replace(/\{(\w+)\}/g, (hole, name: string) =>
    encodeURIComponent(path[name] ?? hole),
  );
  const given = query.filter(([, value]) => value !== "");
  const search = given.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
  const prefix = new URL(page.apiUrl).pathname.replace(/\/$/, "");
  // The URL parser escapes a few characters more, as the browser will when it sends.
  const sent = new URL(`${prefix}${filled}${search === "" ? "" : `?${search}`}`, page.origin);
  const target = `${sent.pathname}${sent.search}`.slice(prefix.length);
  return { address: sent.href, signedUrl: `${page.apiUrl.replace(/\/$/, "")}${target}` };
}
