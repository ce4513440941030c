import { expect, test } from "vitest";
import { Failure } from "../../foundation/failure.ts";
import { hashPassword, isPassword } from "./passwords.ts";

const PASSWORD = "Quietly-orbiting-teapot-91";

test("a flood of one address is refused at some point, and takes nobody else's turn", async () => {
  const flood = { ip: "192.0.2.1" };
  const guesses = Array.from({ length: 300 }, () => isPassword("wrong", undefined, flood));
  const settled = Promise.allSettled(guesses);
  const finished: string[] = [];
  const others = ["192.0.2.2", "2001:db8::1", "192.0.2.1"].map(async (ip, index) => {
    const asker = index === 2 ? { ip, knownDevice: "hers" } : { ip };
    await isPassword("wrong", undefined, asker);
    finished.push(ip);
  });
  void settled.then(() => finished.push("flood"));
  await Promise.all([...others, settled]);
  // Whoever came later did not wait until the flood was over.
  expect(finished.at(-1)).toBe("flood");
  const refused = (await settled).filter(({ status }) => status === "rejected");
  expect(refused.length).toBeGreaterThan(200);
  for (const each of refused) {
    expect(each).toMatchObject({ reason: expect.any(Failure) });
  }
});

test("a password belongs to its hash, however its accents are composed", async () => {
  const passwordHash = await hashPassword(`${PASSWORD}\u00e9`);
  const asker = { ip: "192.0.2.1" };
  expect(await isPassword(`${PASSWORD}e\u0301`, passwordHash, asker)).toBe(true);
  expect(await isPassword(PASSWORD, passwordHash, asker)).toBe(false);
  expect(await isPassword(PASSWORD, undefined, asker)).toBe(false);
});
