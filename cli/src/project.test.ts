import { expect, test } from "vitest";
import { commandAs } from "./project.ts";

test.each([
  ["/checkout/cli/dist/florin.js", "/checkout", "npm run florin --"],
  ["/usr/local/bin/florin", "/checkout", "florin"], // Linked to a checkout.
  ["/usr/lib/node_modules/@florin/cli/dist/florin.js", undefined, "florin"],
])("%s of %s is typed as %s", (startedAs, root, typed) => {
  expect(commandAs(startedAs, root)).toBe(typed);
});
