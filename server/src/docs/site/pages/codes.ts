import { codes } from "../../../foundation/codes.ts";
import { html } from "../html.ts";
import type { Page } from "../layout.ts";

const rows = Object.entries(codes)
  .map(([name, row]) => ({ name, ...row }))
  .sort((a, b) => a.code.localeCompare(b.code) || a.name.localeCompare(b.name));

const finalities = ["TerminalSuccess", "TerminalFailure", "Indeterminate"];

/** Every response code in one table that can be searched. */
export function codesPage(prefix: string): Page {
  return {
    title: "Response codes",
    path: "/docs/response-codes",
    content: html`<section class="prose single">
<h1>Response codes</h1>
<p>Every answer under <code>/api/v1</code> carries a <code>responseCode</code>, its text and its
 <a href="${prefix}/docs#answers">finality</a>. Read the code together with the HTTP status; only
 <code>000</code> means that the request succeeded. Decide by the code, never by the message, which may be
 more specific than the text below.</p>
<p>A code that is listed twice answers with a status that depends on the circumstances; the name tells
 which. A declined card payment is no failed request: the answer is <code>200</code> with <code>000</code>,
 and the reason for the decline stands in the transaction's own <code>responseCode</code>.</p>
<p>Florin's own rules use a part of these codes. The others, such as those for PINs and for risk, are for systems
 that <a href="${prefix}/docs/guides/customer-managed">decide purchases themselves</a> and decline with them.</p>
<div class="filters">
<label class="field"><span>Find</span><input type="search" data-codes-text placeholder="116, funds, 422 …"
 autocomplete="off" spellcheck="false"></label>
<label class="field"><span>Finality</span><select data-codes-finality><option value="">all</option>
${finalities.map((finality) => html`<option>${finality}</option>`)}</select></label>
<p class="fine" role="status" data-codes-count>${rows.length} codes</p>
</div>
<div class="table" tabindex="0"><table class="codes">
<thead><tr><th scope="col">Code</th><th scope="col">Message</th><th scope="col">Finality</th>
<th scope="col">HTTP</th><th scope="col">Name</th></tr></thead>
<tbody>${rows.map(({ name, code, message, finality, httpStatus }, i) => {
      const isFirst = rows[i - 1]?.code !== code;
      return html`<tr${isFirst && html` id="code-${code}"`} data-finality="${finality}"
 data-text="${`${code} ${message} ${httpStatus} ${name}`.toLowerCase()}">
<td><code>${code}</code></td><td>${message}</td><td><span class="finality ${finality}">${finality}</span></td>
<td>${httpStatus}</td><td><code>${name}</code></td></tr>`;
    })}</tbody>
</table></div>
</section>`,
  };
}
