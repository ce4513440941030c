import { describe } from "vitest";
import { chromiumPath } from "./find-chromium.ts";

export { openChromium } from "./find-chromium.ts";

if (chromiumPath === undefined && process.env.FLORIN_REQUIRE_CHROMIUM === "1") {
  throw new Error("The dashboard's tests must run here, and there is no Chromium to run them in.");
}

const ABSENT = "skipped: no Chromium here; name one in FLORIN_CHROMIUM";

/** Tests that need a browser say plainly when they had none. */
export function describeInBrowser(name: string, body: () => void): void {
  if (chromiumPath === undefined) describe.skip(`${name} (${ABSENT})`, body);
  else describe(name, body);
}
