import { codeBlock } from "../code.ts";
import { type Html, html } from "../html.ts";
import { quote } from "../shared/curl.ts";
import type { Site } from "../site.ts";

/** Puts the sandbox's credentials into the environment, where all snippets look for them. */
const fromSandbox = `# Once per terminal, in the project's folder.
sandbox() { node -p "require('./.florin/sandbox.json').$1"; }
export CLIENT_ID=$(sandbox clientId)
export CLIENT_SECRET=$(sandbox clientSecret)
export UNIQUE_KEY=$(sandbox uniqueKey)`;

const fromDashboard = `export CLIENT_ID='…'
export CLIENT_SECRET='…'
export UNIQUE_KEY='…'`;

/** A sandbox's client has both scopes unless it asks for less. */
const granted = (scope: string): string => `{
  "access_token": "eyJhbGciOiJFUzI1NiIsImtpZCI6…",
  "token_type": "Bearer",
  "expires_in": 3600,
  "scope": "${scope}"
}`;

export function authenticationTopic({ identityUrl, isSandbox }: Site): Html {
  const request = [
    `curl -u "$CLIENT_ID:$CLIENT_SECRET" \\`,
    "  -d grant_type=client_credentials \\",
    `  ${quote(`${identityUrl}/connect/token`)}`,
  ].join("\n");
  return html`<section class="columns" id="authentication">
<div class="prose">
<h2><a href="#authentication">Authentication</a></h2>
<p>A client has three credentials: <code>clientId</code>, <code>clientSecret</code> and
 <code>uniqueKey</code>. ${isSandbox ? sandboxOrigin : productionOrigin}</p>
<p>First get a token from the identity server, with the client's id and secret as HTTP Basic credentials. It
 holds for <code>expires_in</code> seconds and serves any number of calls; get a new one when it is about to
 end. <code>scope</code> is optional: <code>CardAPIs</code> covers everything but full card numbers, which
 need <code>CardSecrets</code>.</p>
<p>Then send five headers with every call:</p>
<div class="table" tabindex="0"><table>
<thead><tr><th scope="col">Header</th><th scope="col">Value</th></tr></thead>
<tbody>
<tr><td><code>Authorization</code></td><td><code>Bearer </code> and the token</td></tr>
<tr><td><code>ServiceAuthorization</code></td><td><code>ServiceAuth </code> and the Base64 of the
 <code>clientId</code></td></tr>
<tr><td><code>UniqueKey</code></td><td>The <code>uniqueKey</code></td></tr>
<tr><td><code>Reference</code></td><td>Your name for this request, 1 to 30 printable ASCII characters without
 spaces, new for every operation; also its <a href="#idempotency">idempotency key</a></td></tr>
<tr><td><code>Signature</code></td><td>Proof that you know the secret; <a href="#signing">see below</a></td></tr>
</tbody></table></div>
<p>The headers are checked in this order: token, <code>ServiceAuthorization</code>, whether the client is
 enabled, scope, <code>UniqueKey</code>, <code>Reference</code>, <code>Signature</code>. The first that is
 wrong decides the answer.</p>
</div>
<div class="aside"><div class="sticky">
${codeBlock(isSandbox ? fromSandbox : fromDashboard, "bash", "Credentials for the examples")}
${codeBlock(request, "bash", "Get a token")}
${codeBlock(granted(isSandbox ? "CardAPIs CardSecrets" : "CardAPIs"), "json", "Answer")}
</div></div>
</section>`;
}

const productionOrigin: Html = html`Your account manager shares the last at onboarding; the others stand in the
 dashboard under Settings, Developer.`;

const sandboxOrigin: Html = html`A sandbox writes them to <code>sandbox.json</code> in its data directory,
 readable by you alone, and prints the path when it starts.`;
