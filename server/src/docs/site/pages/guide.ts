import type { Guide } from "../guides.ts";
import { html } from "../html.ts";
import type { Page } from "../layout.ts";
import { markdown } from "../markdown/markdown.ts";
import type { Site } from "../site.ts";

export function guidePage({ prefix, guides }: Site, { slug, title, text }: Guide): Page {
  const slugs = new Set(guides.map((guide) => guide.slug));
  const content = markdown(text, (address) => linkOf(prefix, slugs, address));
  return {
    title,
    path: `/docs/guides/${slug}`,
    content: html`<section class="prose single guide">${content}</section>`,
  };
}

/** Guides link to files beside them; here those are pages. Files that are no page lose their link. */
function linkOf(prefix: string, slugs: ReadonlySet<string>, address: string): string | undefined {
  if (/^(?:https?:\/\/|#)/.test(address)) return address;
  const [, file = "", anchor = ""] = /([\w.-]+)(#.*)?$/.exec(address) ?? [];
  if (file === "openapi.json") return `${prefix}/openapi.json`;
  const name = file.replace(/\.md$/, "").toLowerCase();
  if (name === "response-codes") return `${prefix}/docs/response-codes`;
  return slugs.has(name) ? `${prefix}/docs/guides/${name}${anchor}` : undefined;
}
