import { type Html, html, join } from "../html.ts";

/** Turns the address of a link into one for the site; undefined leaves the text without a link. */
export type LinkRule = (address: string) => string | undefined;

const PIECES = new RegExp(
  [
    "(?<code>`[^`]+`)",
    String.raw`(?<link>\[(?:\\.|[^\]\\])*\]\([^()\s]+\))`,
    String.raw`(?<strong>\*\*(?=\S).+?(?<=\S)\*\*)`,
    String.raw`(?<em>(?<![\w*])[*_](?=\S)[^*_]+?(?<=\S)[*_](?![\w*]))`,
    String.raw`(?<escaped>\\[\\\`*_{}[\]()#+.!|<>-])`,
  ].join("|"),
  "gs",
);

/** Code, links and emphasis inside one paragraph, cell or heading. */
export function inline(text: string, link: LinkRule): Html {
  const parts: Html[] = [];
  let end = 0;
  for (const match of text.matchAll(PIECES)) {
    parts.push(html`${text.slice(end, match.index)}`, piece(match, link));
    end = match.index + match[0].length;
  }
  return join([...parts, text.slice(end)]);
}

function piece(match: RegExpMatchArray, link: LinkRule): Html {
  const [text] = match;
  const { code, strong, em, escaped } = match.groups ?? {};
  if (code !== undefined) return html`<code>${code.slice(1, -1)}</code>`;
  if (strong !== undefined) return html`<strong>${inline(strong.slice(2, -2), link)}</strong>`;
  if (em !== undefined) return html`<em>${inline(em.slice(1, -1), link)}</em>`;
  if (escaped !== undefined) return html`${escaped.slice(1)}`;
  const middle = text.lastIndexOf("](");
  const label = inline(text.slice(1, middle), link);
  const address = link(text.slice(middle + 2, -1));
  return address === undefined ? label : html`<a href="${address}">${label}</a>`;
}
