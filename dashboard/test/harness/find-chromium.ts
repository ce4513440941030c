import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const CANDIDATES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Where this machine has one, if it has. */
export const chromiumPath = [process.env.FLORIN_CHROMIUM, ...CANDIDATES].find(
  (candidate) => candidate !== undefined && existsSync(candidate),
);

export function openChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath ?? "",
    args: ["--no-sandbox", "--headless"],
  });
}
