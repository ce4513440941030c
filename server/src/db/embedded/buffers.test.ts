import { expect, test } from "vitest";
import { sharedBuffers } from "./buffers.ts";

const GIB = 1024 ** 3;

test.each([
  [0.5, "128MB"],
  [1, "128MB"],
  [2, "256MB"],
  [7.5, "960MB"],
  [16, "2048MB"],
  [512, "2048MB"],
])("of %s GiB of memory, PostgreSQL gets %s", (gib, expected) => {
  expect(sharedBuffers(gib * GIB)).toBe(expected);
});
