import { codeBlock } from "../code.ts";
import { type Html, html } from "../html.ts";
import type { Page } from "../layout.ts";
import type { Site } from "../site.ts";
import { answersTopic } from "./answers.ts";
import { authenticationTopic } from "./authentication.ts";
import { conventionsTopic, idempotencyTopic, listsTopic } from "./conventions.ts";
import { signingTopic } from "./signing.ts";

/** The first page: what every caller must know before the first call. */
export function homePage(site: Site): Page {
  return {
    title: "Introduction",
    path: "/docs",
    content: [
      introduction(site),
      authenticationTopic(site),
      signingTopic(site),
      idempotencyTopic,
      answersTopic(site),
      listsTopic,
      conventionsTopic,
    ],
  };
}

function introduction(site: Site): Html {
  const { apiUrl, identityUrl, prefix, isSandbox, sections } = site;
  const addresses = `API        ${apiUrl}/api/v1\nIdentity   ${identityUrl}`;
  return html`<section class="columns opening" id="introduction">
<div class="prose">
<h1>Florin API</h1>
<p class="lead">Issue virtual cards, fund them, control where they work and follow every payment.</p>
<p>The API speaks JSON over HTTP. Calls go to the API's address with a token that the identity server gives,
 and each call is signed. Answers all have <a href="#answers">one form</a>, and every call can be
 <a href="#idempotency">repeated safely</a>.</p>
${isSandbox && tryHint}
<ul class="cards">
${sections.map(
  ({
    slug,
    title,
    description,
  }) => html`<li><a href="${prefix}/docs/api/${slug}"><strong>${title}</strong>
<span>${description}</span></a></li>`,
)}
<li><a href="${prefix}/docs/response-codes"><strong>Response codes</strong>
<span>What each code means, and whether a retry can help.</span></a></li>
</ul>
</div>
<div class="aside">
${codeBlock(addresses, "text", "Addresses")}
${isSandbox && codeBlock("npm run florin -- request GET /wallets", "bash", "A first call, from the project's folder")}
</div>
</section>`;
}

const tryHint: Html = html`<p class="note">This is a sandbox, so every operation here has a
 <strong>Try it</strong> tab that signs and sends real requests. Enter your credentials once, with the button
 at the top.</p>`;
