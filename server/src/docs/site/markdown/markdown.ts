import { codeBlock } from "../code.ts";
import { type Html, html, join } from "../html.ts";
import type { Language } from "../shared/highlight.ts";
import { type Block, parseMarkdown } from "./blocks.ts";
import { inline, type LinkRule } from "./inline.ts";

const asWritten: LinkRule = (address) =>
  /^(?:https?:\/\/|#|\/)/.test(address) ? address : undefined;

interface Context {
  link: LinkRule;
  /** The anchors that headings have taken, with how often. */
  anchors: Map<string, number>;
}

/** Markdown as markup. Nothing in it is passed on unescaped, so no text can bring markup of its own. */
export function markdown(text: string, link: LinkRule = asWritten): Html {
  const context = { link, anchors: new Map() };
  return join(parseMarkdown(text).map((block) => render(block, context)));
}

function render(block: Block, context: Context): Html {
  const { link } = context;
  switch (block.kind) {
    case "heading":
      return heading(block.level, block.text, context);
    case "paragraph":
      return html`<p>${inline(block.text, link)}</p>`;
    case "code":
      return codeBlock(block.code, languageOf(block.language));
    case "list": {
      const items = block.items.map((item) => html`<li>${listItem(item, context)}</li>`);
      return block.isOrdered ? html`<ol>${items}</ol>` : html`<ul>${items}</ul>`;
    }
    case "table":
      return table(block.head, block.rows, link);
    case "quote":
      return html`<blockquote>${block.blocks.map((inner) => render(inner, context))}</blockquote>`;
    case "rule":
      return html`<hr>`;
  }
}

function heading(level: number, text: string, { link, anchors }: Context): Html {
  const content = inline(text, link);
  if (level === 1) return html`<h1>${content}</h1>`;
  const anchor = anchorOf(text, anchors);
  if (level === 2) return html`<h2 id="${anchor}"><a href="#${anchor}">${content}</a></h2>`;
  return html`<h3 id="${anchor}">${content}</h3>`;
}

/** As code hosts make them, so that links to headings work there and here. */
function anchorOf(text: string, taken: Map<string, number>): string {
  const words = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim();
  const anchor = words.replace(/\s/g, "-");
  const count = taken.get(anchor) ?? 0;
  taken.set(anchor, count + 1);
  return count === 0 ? anchor : `${anchor}-${count}`;
}

/** An item of one paragraph is a line, not a paragraph in a box. */
function listItem(blocks: Block[], context: Context): Html {
  return join(
    blocks.map((block, i) =>
      i === 0 && block.kind === "paragraph"
        ? inline(block.text, context.link)
        : render(block, context),
    ),
  );
}

function table(head: string[], rows: string[][], link: LinkRule): Html {
  const cells = (row: string[]): Html =>
    join(row.map((cell) => html`<td>${inline(cell, link)}</td>`));
  return html`<div class="table" tabindex="0"><table>
<thead><tr>${head.map((cell) => html`<th scope="col">${inline(cell, link)}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>`)}</tbody>
</table></div>`;
}

const LANGUAGES: Record<string, Language> = {
  bash: "bash",
  console: "bash",
  javascript: "javascript",
  js: "javascript",
  json: "json",
  py: "python",
  python: "python",
  sh: "bash",
  shell: "bash",
  ts: "javascript",
  typescript: "javascript",
};

function languageOf(name: string): Language {
  return LANGUAGES[name] ?? "text";
}
