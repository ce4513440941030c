import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { icon } from "./icon.ts";

export interface Asset {
  type: string;
  content: string;
  /** Changes with the content, so that a browser may keep what it has. */
  version: string;
}

/** The files that pages load, by name; all of them come from this service. */
export type Assets = Record<"docs.css" | "docs.js" | "icon.svg", Asset>;

export function isAssetName(name: string): name is keyof Assets {
  return name === "docs.css" || name === "docs.js" || name === "icon.svg";
}

export function assetsOf(style: string, script: string): Assets {
  return {
    "docs.css": asset("text/css; charset=utf-8", style),
    "docs.js": asset("text/javascript; charset=utf-8", script),
    "icon.svg": asset("image/svg+xml", icon),
  };
}

function asset(type: string, content: string): Asset {
  const version = createHash("sha256").update(content).digest("base64url").slice(0, 12);
  return { type, content, version };
}

/** What the build made of `browser/`. */
export function readBuiltAssets(): Assets {
  const directory = findBuild(dirname(fileURLToPath(import.meta.url)));
  const read = (name: string): string => readFileSync(join(directory, name), "utf8");
  return assetsOf(read("docs.css"), read("docs.js"));
}

/** Beside the bundled server, or in `dist` above the sources. */
function findBuild(from: string): string {
  for (const candidate of [from, join(from, "dist")]) {
    if (existsSync(join(candidate, "docs.js"))) return candidate;
  }
  const parent = dirname(from);
  if (parent === from) throw new Error("The script of the API reference has not been built.");
  return findBuild(parent);
}
