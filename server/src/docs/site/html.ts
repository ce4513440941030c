/** Markup that is safe to send: every text in it has been escaped once. */
export interface Html {
  readonly markup: string;
}

export type Content = Html | string | number | false | undefined | readonly Content[];

/** Builds markup from a template; whatever is put into it is escaped, unless it is markup itself. */
export function html(literals: TemplateStringsArray, ...values: Content[]): Html {
  const parts = values.map((value, i) => render(value) + (literals[i + 1] ?? ""));
  return { markup: (literals[0] ?? "") + parts.join("") };
}

/** Content in a row, with nothing between. */
export function join(contents: readonly Content[]): Html {
  return { markup: contents.map(render).join("") };
}

function render(value: Content): string {
  if (value === false || value === undefined) return "";
  if (typeof value === "string") return escapeText(value);
  if (typeof value === "number") return String(value);
  return "markup" in value ? value.markup : value.map(render).join("");
}

const ESCAPES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}
