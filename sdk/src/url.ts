const PREFIX = "/api/v1";

export type Query = Record<string, string | number | boolean | null | undefined>;
export type Params = Record<string, string>;

/** The path with its parameters filled in, from `/api/v1` on. */
export function pathOf(path: string, params: Params = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, params[name]));
  return filled.startsWith(`${PREFIX}/`) ? filled : PREFIX + filled;
}

/** The address of a call, spelled as fetch will send it, so that it can be signed. */
export function urlOf(apiUrl: string, path: string, query: Query = {}): string {
  const url = new URL(apiUrl + path);
  if (!url.href.startsWith(`${apiUrl}${PREFIX}/`))
    throw new TypeError("A path begins with a slash and stays below /api/v1.");
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) url.searchParams.append(name, String(value));
  }
  url.hash = "";
  return url.href;
}

/** A value may hold anything, but must stay one segment of the path. */
function segment(name: string, value: string | undefined): string {
  const isSegment = typeof value === "string" && value !== "" && value !== "." && value !== "..";
  if (isSegment) return encodeURIComponent(value);
  throw new TypeError(`${name} is missing, or nothing that an address can have.`);
}
