import { layout, type Page } from "../layout.ts";
import type { Site } from "../site.ts";
import { codesPage } from "./codes.ts";
import { guidePage } from "./guide.ts";
import { homePage } from "./home.ts";
import { missingPage } from "./missing.ts";
import { sectionPage } from "./section.ts";

/** The pages of a site by path. Each is made when it is first asked for, and kept: nothing changes it. */
export class Pages {
  readonly #site: Site;
  readonly #makers: ReadonlyMap<string, () => Page>;
  readonly #made = new Map<string, string>();

  constructor(site: Site) {
    const { prefix, sections, guides } = site;
    this.#site = site;
    this.#makers = new Map([
      ["/docs", () => homePage(site)],
      ["/docs/response-codes", () => codesPage(prefix)],
      ...sections.map((section) =>
        entry(`/docs/api/${section.slug}`, () => sectionPage(site, section)),
      ),
      ...guides.map((guide) => entry(`/docs/guides/${guide.slug}`, () => guidePage(site, guide))),
    ]);
  }

  find(path: string): string | undefined {
    const kept = this.#made.get(path);
    if (kept !== undefined) return kept;
    const make = this.#makers.get(path);
    if (make === undefined) return undefined;
    const page = layout(this.#site, make());
    this.#made.set(path, page);
    return page;
  }

  missing(): string {
    return layout(this.#site, missingPage(this.#site.prefix));
  }
}

const entry = (path: string, make: () => Page): [string, () => Page] => [path, make];
