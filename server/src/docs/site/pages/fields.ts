import { type Html, html } from "../html.ts";
import { markdown } from "../markdown/markdown.ts";
import type { Field } from "../shape.ts";

/** Fields with what is known of each; those of nested objects can be folded open. */
export function fieldList(fields: readonly Field[], says: "required" | "optional"): Html {
  return html`<ul class="fields">${fields.map((field) => fieldItem(field, says))}</ul>`;
}

/** Requests say what they need, answers what they may leave out. */
function fieldItem(field: Field, says: "required" | "optional"): Html {
  const { name, type, isRequired, description, notes, values, fields, variants } = field;
  const mark = isRequired === (says === "required") && html`<span class="${says}">${says}</span>`;
  return html`<li>
<p class="name"><code>${name}</code><span class="type">${type}</span>${mark}</p>
${markdown(description)}
${notes.length > 0 && html`<p class="notes">${notes.map((note) => html`<span>${note}</span>`)}</p>`}
${values.length > 0 && html`<p class="values">${values.map((value) => html`<code>${value}</code> `)}</p>`}
${fields.length > 0 && nested(`Fields of ${name}`, fields, says)}
${variants.map((variant, i) => nested(`Form ${i + 1} of ${name}`, variant, says))}
</li>`;
}

export function nested(
  title: string,
  fields: readonly Field[],
  says: "required" | "optional",
  isOpen = false,
): Html {
  return html`<details class="nested"${isOpen && html` open`}><summary>${title}</summary>${fieldList(fields, says)}</details>`;
}
