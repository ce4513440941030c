import { type Content, type Html, html } from "./html.ts";
import { type Language, tokensOf } from "./shared/highlight.ts";

/** Code in colours, with a button that copies it. */
export function codeBlock(code: string, language: Language, title?: Content): Html {
  return html`<figure class="code">
${title !== undefined && html`<figcaption>${title}</figcaption>`}
<button type="button" class="copy" data-copy aria-label="Copy the code">Copy</button>
<pre tabindex="0"><code>${highlighted(code, language)}</code></pre>
</figure>`;
}

function highlighted(code: string, language: Language): Html[] {
  return tokensOf(code, language).map(({ kind, text }) =>
    kind === undefined ? html`${text}` : html`<span class="t-${kind}">${text}</span>`,
  );
}

interface Tab {
  /** The same on every page, so that a choice can be kept. */
  name: string;
  title: string;
  content: Html;
}

/** Tabs made of radio buttons: the keyboard works as everywhere, and no script is needed. */
export function tabs(group: string, label: string, all: readonly Tab[]): Html {
  return html`<div class="tabs" role="radiogroup" aria-label="${label}">
${all.map(
  (
    { name, title },
    i,
  ) => html`<input type="radio" name="${group}" id="${group}-${name}" value="${name}"
 data-tab${i === 0 && html` checked`}><label for="${group}-${name}">${title}</label>`,
)}
<div class="panels">${all.map(({ content }) => html`<div class="panel">${content}</div>`)}</div>
</div>`;
}
