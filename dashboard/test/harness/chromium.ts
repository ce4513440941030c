import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { describe } from "vitest";

const CANDIDATES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

const path = [process.env.FLORIN_CHROMIUM, ...CANDIDATES].find(
  (candidate) => candidate !== undefined && existsSync(candidate),
);

if (path === undefined && process.env.FLORIN_REQUIRE_CHROMIUM === "1") {
  throw new Error("The dashboard's tests must run here, and there is no Chromium to run them in.");
}

const ABSENT = "skipped: no Chromium here; name one in FLORIN_CHROMIUM";

/** Tests that need a browser say plainly when they had none. */
export function describeInBrowser(name: string, body: () => void): void {
  if (path === undefined) describe.skip(`${name} (${ABSENT})`, body);
  else describe(name, body);
}

export function openChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: path ?? "", args: ["--no-sandbox", "--headless"] });
}
