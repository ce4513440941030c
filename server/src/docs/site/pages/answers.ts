import { codeBlock } from "../code.ts";
import { type Html, html } from "../html.ts";
import { sampleId } from "../shared/sample-id.ts";
import type { Site } from "../site.ts";
import { pretty, refusalExample } from "./envelope.ts";

const success = pretty({
  responseCode: "000",
  responseMessage: "Success",
  finality: "TerminalSuccess",
  requestId: sampleId("req"),
  data: { walletId: sampleId("wal"), currency: "USD", balance: 100000 },
});

const statuses: readonly (readonly [number, string])[] = [
  [200, "Success"],
  [400, "Invalid request parameters"],
  [401, "Authentication failed"],
  [403, "Not allowed"],
  [404, "Resource not found"],
  [422, "A business rule refused it"],
  [429, "Rate limit exceeded; wait for Retry-After seconds"],
  [500, "Internal error"],
  [502, "A provider failed"],
  [503, "Service unavailable"],
  [504, "A provider did not answer in time"],
];

export function answersTopic({ prefix }: Site): Html {
  return html`<section class="columns" id="answers">
<div class="prose">
<h2><a href="#answers">Answers and errors</a></h2>
<p>Every answer under <code>/api/v1</code> has the same envelope, errors too. Judge it by the HTTP status and
 the <code>responseCode</code> together; <code>000</code> is the only success. Quote the
 <code>requestId</code> when you ask for help.</p>
<div class="table" tabindex="0"><table>
<thead><tr><th scope="col">Finality</th><th scope="col">What to do</th></tr></thead>
<tbody>
<tr><td><span class="finality TerminalSuccess">TerminalSuccess</span></td><td>Nothing: it is done.</td></tr>
<tr><td><span class="finality TerminalFailure">TerminalFailure</span></td><td>Change the request, or the state
 behind it. The same request will be refused again.</td></tr>
<tr><td><span class="finality Indeterminate">Indeterminate</span></td><td>Retry with the same Reference and
 payload, or ask what became of it.</td></tr>
</tbody></table></div>
<p>A request that is malformed lists each wrong field under <code>errors</code>. All codes stand in the
 <a href="${prefix}/docs/response-codes">table of response codes</a>.</p>
<div class="table" tabindex="0"><table>
<thead><tr><th scope="col">HTTP</th><th scope="col">Meaning</th></tr></thead>
<tbody>${statuses.map(([status, meaning]) => html`<tr><td><code>${status}</code></td><td>${meaning}</td></tr>`)}</tbody>
</table></div>
</div>
<div class="aside"><div class="sticky">
${codeBlock(success, "json", "Success")}
${codeBlock(refusalExample, "json", "Refusal, HTTP 400")}
</div></div>
</section>`;
}
