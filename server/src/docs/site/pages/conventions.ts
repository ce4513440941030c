import { codeBlock } from "../code.ts";
import { type Html, html } from "../html.ts";
import { sampleId } from "../shared/sample-id.ts";
import { pretty } from "./envelope.ts";

const seen = pretty({
  responseCode: "139",
  responseMessage: "Reference value has already been seen in the last 24 hours",
  finality: "TerminalFailure",
  requestId: sampleId("req"),
  data: null,
});

export const idempotencyTopic: Html = html`<section class="columns" id="idempotency">
<div class="prose">
<h2><a href="#idempotency">Idempotency</a></h2>
<p>A <code>Reference</code> works once in 24 hours. When an answer is lost, send the same request with the same
 Reference again: if the first one failed or never arrived, it is carried out now; if it succeeded, you are
 told so, and nothing happens a second time. Keep the payload as it was.</p>
<p>To learn what the first one did, ask <code>GET /api/v1/requests/{reference}</code>. It never answers 404,
 and names the resource that was made.</p>
</div>
<div class="aside">${codeBlock(seen, "json", "The same Reference again, HTTP 400")}</div>
</section>`;

const page = pretty({ data: ["…"], pagination: { limit: 20, nextCursor: "eyJ…" } });

export const listsTopic: Html = html`<section class="columns" id="lists">
<div class="prose">
<h2><a href="#lists">Lists</a></h2>
<p>Lists come newest first, in pages of <code>limit</code> entries (1 to 100, 20 unless you say otherwise).
 While <code>pagination.nextCursor</code> is not null, pass it as <code>cursor</code> to get the next page.
 Entries that appear meanwhile do not shift the pages.</p>
</div>
<div class="aside">${codeBlock(page, "json", "One page")}</div>
</section>`;

export const conventionsTopic: Html = html`<section class="columns" id="conventions">
<div class="prose">
<h2><a href="#conventions">Conventions</a></h2>
<ul>
<li><strong>Amounts</strong> are numbers in major units (<code>25.5</code>), with no more decimals than the
 currency has.</li>
<li><strong>Times</strong> are ISO 8601 in UTC with milliseconds, <strong>dates</strong> are
 <code>YYYY-MM-DD</code>.</li>
<li><strong>Currencies</strong> are ISO 4217 codes, <strong>countries</strong> ISO 3166 alpha-2.</li>
<li><strong>Ids</strong> say what they are: <code>card_</code>, <code>cus_</code>, <code>txn_</code> … and 26
 letters and digits. Treat them as opaque.</li>
<li><strong>Fields</strong> that the API does not know are refused, so that a typing mistake does not pass.</li>
<li><strong>Other organizations'</strong> resources answer exactly like those that do not exist.</li>
</ul>
</div>
</section>`;
