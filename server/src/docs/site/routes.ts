import type { FastifyReply, FastifyRequest } from "fastify";
import type { Addresses } from "../../http/addresses.ts";
import type { App } from "../../http/app.ts";
import { OPEN_PAGE } from "../../http/open-page.ts";
import { type Assets, isAssetName, readBuiltAssets } from "./assets.ts";
import type { OpenApiDocument } from "./document.ts";
import { readGuides } from "./guides.ts";
import { pageHeaders } from "./headers.ts";
import { Pages } from "./pages/pages.ts";
import { sectionsOf } from "./reference.ts";
import type { Site } from "./site.ts";

interface DocsOptions {
  addresses: Addresses;
  isSandbox: boolean;
}

const YEAR_S = 365 * 24 * 60 * 60;

/** The API reference and the guides, for people: pages that load nothing from anywhere else. */
export function docsRoutes(app: App, options: DocsOptions, readAssets = readBuiltAssets): void {
  // Everything is read when a page is first asked for: by then the addresses are known and all routes
  // described, and a missing build harms nobody who only wants the API.
  const assets = once(readAssets);
  const pages = once(() => new Pages(openSite(app, options, assets())));

  const sendPage = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const [path = ""] = request.url.split("?");
    const page = pages().find(path.replace(/\/$/, ""));
    return reply
      .code(page === undefined ? 404 : 200)
      .headers(pageHeaders(options.addresses.identity, options.isSandbox))
      .header("cache-control", "no-cache")
      .type("text/html; charset=utf-8")
      .send(page ?? pages().missing());
  };
  app.get("/docs", OPEN_PAGE, sendPage);
  app.get("/docs/*", OPEN_PAGE, sendPage);
  app.get("/docs/assets/:name", OPEN_PAGE, (request, reply) => {
    const { name } = request.params as { name: string };
    if (!isAssetName(name)) return sendPage(request, reply);
    const { type, content, version } = assets()[name];
    const isCurrent = (request.query as { v?: unknown }).v === version;
    return reply
      .header("cache-control", isCurrent ? `public, max-age=${YEAR_S}, immutable` : "no-cache")
      .header("x-content-type-options", "nosniff")
      .type(type)
      .send(content);
  });
}

function openSite(app: App, { addresses, isSandbox }: DocsOptions, assets: Assets): Site {
  const document = app.swagger() as OpenApiDocument;
  const apiUrl = addresses.api.replace(/\/$/, "");
  const prefix = new URL(apiUrl).pathname.replace(/\/$/, "");
  const urlOf = (name: keyof Assets): string =>
    `${prefix}/docs/assets/${name}?v=${assets[name].version}`;
  return {
    apiUrl,
    identityUrl: addresses.identity.replace(/\/$/, ""),
    isSandbox,
    prefix,
    styleUrl: urlOf("docs.css"),
    scriptUrl: urlOf("docs.js"),
    iconUrl: urlOf("icon.svg"),
    document,
    sections: sectionsOf(document),
    guides: readGuides(),
  };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
