import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import Fastify from "fastify";
import { beforeAll, expect, test } from "vitest";
import type { App } from "../../http/app.ts";
import { renderOpenApi } from "../openapi.ts";
import { type Assets, assetsOf } from "./assets.ts";
import { docsRoutes } from "./routes.ts";

const addresses = {
  api: "http://127.0.0.1:4000",
  identity: "http://127.0.0.1:4001",
  dashboard: "http://127.0.0.1:4002",
};

let assets: Assets;
let document: object;
let sandbox: App;
let production: App;

beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: { docs: fileURLToPath(new URL("./browser/main.ts", import.meta.url)) },
    outdir: "built",
    bundle: true,
    format: "iife",
    platform: "browser",
    target: "es2022",
    minify: true,
    write: false,
  });
  const textOf = (ending: string): string =>
    outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? "";
  assets = assetsOf(textOf(".css"), textOf(".js"));
  document = JSON.parse(await renderOpenApi());
  sandbox = open(true);
  production = open(false);
});

function open(isSandbox: boolean, api = addresses.api, readAssets = () => assets): App {
  const app = Fastify() as unknown as App;
  app.decorate("swagger", () => document as ReturnType<App["swagger"]>);
  docsRoutes(app, { addresses: { ...addresses, api }, isSandbox }, readAssets);
  return app;
}

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

async function get(app: App, url: string): Promise<Answer> {
  const { statusCode, headers, body } = await app.inject({ method: "GET", url });
  return { status: statusCode, headers, text: body };
}

/** What a page links to or loads: the values of all href and src. */
const referencesIn = (page: string): string[] =>
  [...page.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, address = ""]) => address);

/** Every page that can be reached from the first one. */
async function crawl(app: App): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  const waiting = ["/docs"];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (pages.has(path)) continue;
    const { status, text } = await get(app, path);
    expect(status, path).toBe(200);
    pages.set(path, text);
    const paths = referencesIn(text).map((address) => address.replace(/#.*$/, ""));
    waiting.push(...paths.filter((next) => /^\/docs(?!\/assets)/.test(next)));
  }
  return pages;
}

test("pages run nothing inline, load nothing from elsewhere and cannot be framed", async () => {
  const { headers } = await get(sandbox, "/docs");
  const policy = String(headers["content-security-policy"]).split("; ");
  expect(policy).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self' http://127.0.0.1:4001",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]),
  );
  expect(policy.join()).not.toContain("unsafe");
  expect(headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
  });
});

test("every operation has its place on a page", async () => {
  const all = [...(await crawl(sandbox)).values()].join("");
  const paths = Object.entries((document as { paths: Record<string, object> }).paths);
  expect(paths.length).toBeGreaterThan(0);
  for (const [path, methods] of paths) {
    for (const method of Object.keys(methods)) {
      expect(all).toContain(`data-method="${method.toUpperCase()}" data-path="${path}"`);
    }
  }
});

test("no page or file refers to another host", async () => {
  const files = Object.values(assets).map(({ content }) => content);
  const own = new Set(["127.0.0.1", "www.w3.org"]);
  for (const [path, page] of await crawl(sandbox)) {
    // A person may follow a link elsewhere; the page itself goes nowhere.
    const loaded = referencesIn(page.replace(/<a\s[^>]*>/g, ""));
    for (const address of loaded) expect(address, path).toMatch(/^\/docs\/assets\//);
    expect(page, path).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son[a-z]+=/);
  }
  for (const file of files) {
    const hosts = [...file.matchAll(/(?:https?:)?\/\/([\w.-]+\.\w+)/g)].map(
      ([, host = ""]) => host,
    );
    expect(hosts.filter((host) => !own.has(host))).toEqual([]);
  }
});

test("every link and every file of every page is there", async () => {
  const pages = await crawl(sandbox);
  const answers = new Map<string, Awaited<ReturnType<typeof get>>>();
  const getOnce = async (path: string) => {
    const answer = answers.get(path) ?? (await get(sandbox, path));
    answers.set(path, answer);
    return answer;
  };
  for (const [path, page] of pages) {
    for (const address of referencesIn(page)) {
      const [target = "", anchor] = address.split("#");
      if (target === "/openapi.json" || /^https?:/.test(target)) continue;
      const { status, text } = await getOnce(target === "" ? path : target);
      expect(status, `${address} on ${path}`).toBe(200);
      if (anchor !== undefined) expect(text, `${address} on ${path}`).toContain(`id="${anchor}"`);
    }
  }
});

test("ids are unique on every page", async () => {
  for (const [path, page] of await crawl(sandbox)) {
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(
      ids.filter((id, i) => ids.indexOf(id) !== i),
      path,
    ).toEqual([]);
  }
});

test("files under their version are kept, others are asked for again", async () => {
  const versioned = referencesIn((await get(sandbox, "/docs")).text).find((a) =>
    a.includes(".css?"),
  );
  const kept = await get(sandbox, versioned ?? "");
  expect(kept.headers).toMatchObject({
    "content-type": "text/css; charset=utf-8",
    "cache-control": "public, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
  });
  const bare = await get(sandbox, "/docs/assets/docs.css");
  expect(bare.headers["cache-control"]).toBe("no-cache");
  expect(bare.text).toBe(kept.text);
});

test("in production nothing is tried out and nothing is connected to", async () => {
  for (const [path, page] of await crawl(production)) {
    expect(page, path).not.toMatch(/data-try|data-playground|<dialog/);
  }
  const { headers } = await get(production, "/docs");
  expect(headers["content-security-policy"]).toContain("connect-src 'none'");
});

test("the credentials are never filled in by the server", async () => {
  const [dialog = ""] = /<dialog.*<\/dialog>/s.exec((await get(sandbox, "/docs")).text) ?? [];
  expect(dialog.match(/name="(?:clientId|clientSecret|uniqueKey)"/g)).toHaveLength(3);
  expect(dialog).not.toContain("value=");
});

test("behind a proxy's prefix, links carry it", async () => {
  const { text } = await get(open(true, "https://pay.example/florin"), "/docs");
  expect(referencesIn(text).filter((address) => !/^(?:#|\/florin\/)/.test(address))).toEqual([]);
});

test.each(["/docs/nothing", "/docs/api/nothing", "/docs/assets/nothing", "/docs/assets/__proto__"])(
  "%s is a page that says so",
  async (url) => {
    const { status, text, headers } = await get(sandbox, url);
    expect(status).toBe(404);
    expect(text).toContain("There is no such page");
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
  },
);

test("the response codes stand in one table", async () => {
  const { text } = await get(sandbox, "/docs/response-codes");
  expect(text).toMatch(/id="code-116".*Insufficient funds.*TerminalFailure.*422/s);
});

test("a missing build is told when a page is asked for, not before", async () => {
  const app = open(true, addresses.api, () => {
    throw new Error("The script of the API reference has not been built.");
  });
  expect((await get(app, "/docs")).status).toBe(500);
});
