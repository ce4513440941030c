import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import staticFiles from "@fastify/static";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../http/app.ts";
import { OPEN_PAGE } from "../../http/open-page.ts";
import { unknownPath } from "../../http/unroutable.ts";

const NOT_BUILT =
  "The dashboard's page has not been built: `npm start` builds it from dashboard/.\n";

/** The built page. Files whose names carry a digest of their content are kept for good. */
export function fileRoutes(
  app: App,
  root = findBuild(dirname(fileURLToPath(import.meta.url))),
): void {
  if (root === undefined) {
    app.get("/", OPEN_PAGE, (_request, reply) => reply.type("text/plain").send(NOT_BUILT));
    return;
  }
  app.addHook("onError", (_request, reply, _error, done) => {
    unsay(reply);
    done();
  });
  app.register(staticFiles, {
    root,
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isForGood = path.startsWith(join(root, "assets"));
      const policy = isForGood ? "public, max-age=31536000, immutable" : "no-cache";
      reply.setHeader("cache-control", policy);
      reply.setHeader("vary", "accept-encoding");
    },
  });
  app.get("/", OPEN_PAGE, (_request, reply) => reply.sendFile("index.html"));
}

const OF_A_FILE = [
  "content-type",
  "content-encoding",
  "content-length",
  "content-range",
  "accept-ranges",
  "etag",
  "last-modified",
  "cache-control",
] as const;

/** A file may turn out not to open when all is said of it, and its failure must not be kept for good. */
function unsay(reply: FastifyReply): void {
  for (const name of OF_A_FILE) {
    // Only what a file is sent with is on the response before it begins.
    if (!reply.raw.hasHeader(name)) continue;
    reply.raw.removeHeader(name);
    reply.removeHeader(name);
  }
}

/** A path that a browser opens gets the page, whose router knows it; anything else is answered 404. */
export function sendPage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { method, url, headers } = request;
  const isPage =
    (method === "GET" || method === "HEAD") &&
    !/^\/(api|dashboard|assets)\//.test(url) &&
    headers.accept?.includes("text/html") === true &&
    "sendFile" in reply;
  if (!isPage) throw unknownPath();
  return reply.sendFile("index.html");
}

/** Beside the server's folder; the sources and the bundle lie at different depths below it. */
function findBuild(from: string): string | undefined {
  const candidate = join(from, "dashboard", "dist");
  if (existsSync(join(candidate, "index.html"))) return candidate;
  const parent = dirname(from);
  return parent === from ? undefined : findBuild(parent);
}
