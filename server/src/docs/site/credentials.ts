import { type Html, html } from "./html.ts";

/** Where a person enters what requests are signed with. The server never sees or fills these fields. */
export const credentialsDialog: Html = html`<dialog id="site-credentials" aria-labelledby="site-credentials-title">
<form method="dialog" autocomplete="off">
<h2 id="site-credentials-title">Credentials for trying things out</h2>
<p>You find them in <code>sandbox.json</code>, in the service's data directory: <code>.florin/sandbox.json</code>
 unless <code>FLORIN_DATA_DIR</code> says otherwise. The service prints the path when it starts.</p>
<p><label class="button file">Load sandbox.json…<input type="file" accept="application/json,.json"
 data-credentials-file></label> or paste its content into any of the fields.</p>
${field("clientId", "clientId", "text")}
${field("clientSecret", "clientSecret", "password")}
${field("uniqueKey", "uniqueKey", "password")}
<p class="fine">They stay in this browser tab, until you clear them or close it, and go nowhere but to the
 service's own two addresses.</p>
<p class="problem" role="alert" data-credentials-problem></p>
<div class="buttons">
<button type="button" class="button" data-credentials-clear>Clear</button>
<span class="gap"></span>
<button type="button" class="button" data-credentials-cancel>Cancel</button>
<button type="submit" class="button primary">Use these</button>
</div>
</form>
</dialog>`;

function field(name: string, label: string, type: string): Html {
  return html`<label class="field"><span>${label}</span>
<input name="${name}" type="${type}" required spellcheck="false" autocapitalize="off" autocomplete="off"></label>`;
}
