import { expect, test } from "vitest";
import { Names } from "./names.ts";

test("names that only this machine knows are left to it", async () => {
  const found = await new Names().resolve("localhost");
  expect(found.length).toBeGreaterThan(0);
  for (const { address } of found) expect(["127.0.0.1", "::1"]).toContain(address);
});

test("what is asked at the same time, or was asked a moment ago, is asked once", async () => {
  const names = new Names();
  const [one, two] = await Promise.all([names.resolve("localhost"), names.resolve("localhost")]);
  expect(one).toBe(two);
  expect(await names.resolve("localhost")).toBe(one);
});

test("a name that nobody knows is an error, each time", async () => {
  const names = new Names();
  await expect(names.resolve("nobody.invalid")).rejects.toThrow();
  await expect(names.resolve("nobody.invalid")).rejects.toThrow();
});
