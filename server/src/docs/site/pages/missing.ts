import { html } from "../html.ts";
import type { Page } from "../layout.ts";

export function missingPage(prefix: string): Page {
  return {
    title: "Not found",
    path: "",
    content: html`<section class="prose single"><h1>There is no such page</h1>
<p>The contents list everything there is; the <a href="${prefix}/docs">introduction</a> is a good place to
 begin.</p></section>`,
  };
}
