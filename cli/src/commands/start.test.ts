import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { NODE_OPTIONS } from "./start.ts";

test("the service gets the options that npm start gives it", () => {
  const manifest = new URL("../../../package.json", import.meta.url);
  const { scripts } = JSON.parse(readFileSync(manifest, "utf8"));
  expect(NODE_OPTIONS).toEqual(
    scripts.start.split(" ").filter((word: string) => word.startsWith("--")),
  );
});
