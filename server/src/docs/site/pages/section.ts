import { html } from "../html.ts";
import type { Page } from "../layout.ts";
import { markdown } from "../markdown/markdown.ts";
import type { Section } from "../reference.ts";
import type { Site } from "../site.ts";
import { operationArticle } from "./operation.ts";

/** The operations of one tag. */
export function sectionPage(site: Site, section: Section): Page {
  const { slug, title, description, operations } = section;
  const list = operations.map(
    ({ anchor, method, path }) => html`<li><a href="#${anchor}">
<span class="method ${method.toLowerCase()}">${method}</span><code>${path}</code></a></li>`,
  );
  return {
    title,
    path: `/docs/api/${slug}`,
    content: html`<section class="columns opening">
<div class="prose"><h1>${title}</h1>${markdown(description)}</div>
<div class="aside"><div class="endpoints"><p>Endpoints</p><ul>${list}</ul></div></div>
</section>
${operations.map((operation) => operationArticle(site, operation))}`,
  };
}
