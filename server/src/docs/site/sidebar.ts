import { type Html, html } from "./html.ts";
import type { Section } from "./reference.ts";
import type { Site } from "./site.ts";

/** The sections of the first page, by anchor. */
const BASICS = [
  ["introduction", "Introduction"],
  ["authentication", "Authentication"],
  ["signing", "Signing a request"],
  ["idempotency", "Idempotency"],
  ["answers", "Answers and errors"],
  ["lists", "Lists"],
  ["conventions", "Conventions"],
] as const;

/** All that there is to read. On a narrow screen it is a pop-over, for which no script is needed. */
export function sidebar(site: Site, path: string): Html {
  const { prefix, sections, guides } = site;
  const here = (target: string): Html | false => target === path && html` aria-current="page"`;
  return html`<nav id="site-contents" class="sidebar" popover aria-label="Contents">
<label class="filter"><span class="hidden">Find an operation</span>
<input type="search" placeholder="Find an operation" data-filter autocomplete="off" spellcheck="false">
<kbd aria-hidden="true">/</kbd></label>
<p class="group">Basics</p>
<ul>
${BASICS.map(([anchor, title]) => html`<li><a href="${prefix}/docs#${anchor}">${title}</a></li>`)}
<li><a href="${prefix}/docs/response-codes"${here("/docs/response-codes")}>Response codes</a></li>
</ul>
${guides.length > 0 && html`<p class="group">Guides</p>`}
${
  guides.length > 0 &&
  html`<ul>${guides.map(({ slug, title }) => {
    const target = `/docs/guides/${slug}`;
    return html`<li><a href="${prefix}${target}"${here(target)}>${title}</a></li>`;
  })}</ul>`
}
<p class="group">Reference</p>
${sections.map((section) => sectionLinks(prefix, section, path === `/docs/api/${section.slug}`))}
<p class="nothing" data-filter-nothing hidden>No operation is called that.</p>
</nav>`;
}

function sectionLinks(prefix: string, { slug, title, operations }: Section, isOpen: boolean): Html {
  const page = `${prefix}/docs/api/${slug}`;
  return html`<details data-filter-group${isOpen && html` open`}>
<summary>${title}</summary>
<ul>
${operations.map(
  ({
    anchor,
    method,
    path,
    summary,
  }) => html`<li data-filter-text="${`${summary} ${method} ${path}`.toLowerCase()}">
<a href="${page}#${anchor}">${summary}<span class="method ${method.toLowerCase()}">${method}</span></a></li>`,
)}
</ul>
</details>`;
}
