import { sign } from "../../../http/signature.ts";
import { codeBlock, tabs } from "../code.ts";
import { type Html, html } from "../html.ts";
import { mask } from "../shared/mask.ts";
import { sampleId } from "../shared/sample-id.ts";
import { textToSign } from "../shared/sign.ts";
import type { Site } from "../site.ts";
import { snippetsFor } from "../snippets/snippets.ts";

/** Of nobody, so that it can be printed. */
const sample = {
  method: "GET",
  reference: "4f9d21c07be85a36d1e2",
  clientId: sampleId("cli"),
  clientSecret: "not-a-real-secret",
};

const TARGET = "/api/v1/wallets";

export function signingTopic(site: Site): Html {
  const { apiUrl, identityUrl, isSandbox } = site;
  const call = { apiUrl, identityUrl, method: "GET", target: TARGET };
  const snippets = snippetsFor(call).map(({ title, language, code }) => ({
    name: language,
    title,
    content: codeBlock(code, language),
  }));
  return html`<section class="columns" id="signing">
<div class="prose">
<h2><a href="#signing">Signing a request</a></h2>
<ol>
<li>Take the method in upper case, the whole URL, the reference, the client's id and its secret.</li>
<li>URL-encode the URL as one value, so that <code>/</code> becomes <code>%2F</code> and <code>?</code>
 becomes <code>%3F</code>.</li>
<li>Join the five with <code>&amp;</code>.</li>
<li>Take the SHA-1 digest of that text (UTF-8), as lower-case hexadecimal.</li>
<li>Encode those 40 characters with Base64. That is the signature.</li>
</ol>
${codeBlock(formula, "text")}
<p>The URL is the address that you call, query included, exactly as it is sent:
 what is escaped in the request must be escaped in the same way before you encode it. All usual URL encoders
 are accepted, whatever they do with <code>!'()*~</code>.</p>
<p>The signature does not cover the body, so send requests over TLS only.</p>
<h3>An example to check your code with</h3>
${codeBlock(workedExample(`${apiUrl}${TARGET}`), "text")}
${isSandbox && playground(`${apiUrl}${TARGET}`)}
</div>
<div class="aside"><div class="sticky">${tabs("signing-code", "A signed call", snippets)}</div></div>
</section>`;
}

const formula = `Signature = base64(hex(sha1(
  METHOD & urlencode(url) & reference
         & clientId & clientSecret
)))`;

function workedExample(url: string): string {
  const { method, reference, clientId, clientSecret } = sample;
  return [
    `Method     ${method}`,
    `URL        ${url}`,
    `Reference  ${reference}`,
    `clientId   ${clientId}`,
    `Secret     ${clientSecret}`,
    "",
    `Text       ${textToSign({ ...sample, url })}`,
    `Signature  ${sign(method, url, reference, clientId, clientSecret)}`,
  ].join("\n");
}

function playground(url: string): Html {
  const { method, reference, clientId, clientSecret } = sample;
  const signature = sign(method, url, reference, clientId, clientSecret);
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];
  return html`<h3 id="playground">Sign your own</h3>
<p>Computed in this page as you type; nothing is sent. With your credentials entered, theirs are used.</p>
<form class="try playground" data-playground autocomplete="off">
<label class="field"><span>Method</span><select name="method">
${methods.map((method) => html`<option>${method}</option>`)}</select></label>
<label class="field"><span>URL</span><input name="url" value="${url}" spellcheck="false"></label>
<label class="field"><span>Reference</span><input name="reference" value="${reference}" maxlength="30"
 spellcheck="false"></label>
<label class="field"><span>clientId</span><input name="clientId" value="${clientId}" spellcheck="false"></label>
<label class="field"><span>clientSecret</span><input name="clientSecret" type="password"
 value="${clientSecret}" autocomplete="off" spellcheck="false"></label>
<dl>
<dt>Text</dt><dd><output data-playground-text>${mask(textToSign({ ...sample, url }), [clientSecret])}</output></dd>
<dt>SHA-1</dt><dd><output data-playground-digest>${Buffer.from(signature, "base64").toString()}</output></dd>
<dt>Signature</dt><dd><output data-playground-signature>${signature}</output></dd>
</dl>
</form>`;
}
