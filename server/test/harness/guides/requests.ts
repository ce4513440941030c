/** A call as a guide writes it: a line with method and path, then the body if there is one. */
export interface ShownRequest {
  method: string;
  /** Under /api/v1. */
  path: string;
  body: string | undefined;
}

const FIRST_LINE = /^(GET|POST|PUT|PATCH|DELETE) \/api\/v1(\S+)\s*(.*)$/;

export function readRequests(text: string): ShownRequest[] {
  const requests: { method: string; path: string; lines: string[] }[] = [];
  for (const line of text.split("\n")) {
    const [, method, path, rest] = FIRST_LINE.exec(line) ?? [];
    if (method !== undefined && path !== undefined)
      requests.push({ method, path, lines: [rest ?? ""] });
    else requests.at(-1)?.lines.push(line);
  }
  return requests.map(({ method, path, lines }) => {
    const body = lines.join("\n").trim();
    return { method, path, body: body === "" ? undefined : body };
  });
}

/** Puts real ids where a guide has `{cardId}` or `card_…`. */
export function fill(text: string, ids: Record<string, string>): string {
  let filled = text;
  for (const [name, id] of Object.entries(ids)) {
    filled = filled.replaceAll(`{${name}}`, id);
    const prefix = /^[a-z]+_/.exec(id)?.[0];
    if (prefix !== undefined) filled = filled.replaceAll(`${prefix}…`, id);
  }
  return filled;
}
