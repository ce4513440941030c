import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { Failure } from "../../foundation/failure.ts";
import { type Attempt, Throttle } from "./throttle.ts";

const stranger = (ip: string, account = "ada@lagoon.example") => ({
  account,
  ip,
  knownDevice: undefined,
});

/** How many wrong passwords are looked at of a hundred that are sent at once, or one after another. */
async function attemptsOf(throttle: Throttle, attempt: Attempt, atOnce = true): Promise<number> {
  let count = 0;
  const guess = async (): Promise<void> => {
    const looked = throttle.tryPassword(attempt, async () => {
      count += 1;
      await setImmediate();
      return false;
    });
    await looked.catch((error: unknown) => expect(error).toBeInstanceOf(Failure));
  };
  if (atOnce) await Promise.all(Array.from({ length: 100 }, guess));
  else for (let i = 0; i < 100; i++) await guess();
  return count;
}

test.each([true, false])("one address has ten guesses at one account; at once: %o", async (all) => {
  expect(await attemptsOf(new Throttle(), stranger("192.0.2.1"), all)).toBe(10);
});

test("one address has sixty guesses at all accounts together", async () => {
  const throttle = new Throttle();
  let total = 0;
  for (let i = 0; i < 20; i++)
    total += await attemptsOf(throttle, stranger("192.0.2.1", `p${i}@x.example`));
  expect(total).toBe(60);
});

test("whoever guesses spends neither another address's budget nor a known browser's", async () => {
  const throttle = new Throttle();
  await attemptsOf(throttle, stranger("192.0.2.1"));
  expect(await attemptsOf(throttle, stranger("192.0.2.2"))).toBe(10);
  expect(await attemptsOf(throttle, { ...stranger("192.0.2.1"), knownDevice: "hers" })).toBe(20);
});

test("a right password, or one that nobody could look at, costs nothing", async () => {
  const throttle = new Throttle();
  const busy = new Failure("NO_ACTION_TAKEN");
  for (let i = 0; i < 30; i++) {
    expect(await throttle.tryPassword(stranger("192.0.2.1"), async () => true)).toBe(true);
    const failed = throttle.tryPassword(stranger("192.0.2.1"), () => Promise.reject(busy));
    await expect(failed).rejects.toBe(busy);
  }
  expect(await attemptsOf(throttle, stranger("192.0.2.1"))).toBe(10);
});

test("codes are counted by account, whatever the address", () => {
  const throttle = new Throttle();
  const take = (ip: string) => (): void => throttle.takeCode(stranger(ip));
  for (let i = 0; i < 8; i++) expect(take(`192.0.2.${i}`)).not.toThrow();
  expect(take("192.0.2.99")).toThrow(Failure);
  const hers = { ...stranger("192.0.2.99"), knownDevice: "hers" };
  expect(() => throttle.takeCode(hers)).not.toThrow();
});

test("nobody is sent letter after letter", () => {
  const throttle = new Throttle();
  const write = () => throttle.mayWriteTo("ada@lagoon.example", "SignUp");
  expect(Array.from({ length: 10 }, write).filter(Boolean)).toHaveLength(4);
  expect(throttle.mayWriteTo("obi@lagoon.example", "SignUp")).toBe(true);
});

test("letters of one kind leave room for those of another", () => {
  const throttle = new Throttle();
  for (let i = 0; i < 10; i++) {
    throttle.mayWriteTo("ada@lagoon.example", "SignUp");
    throttle.mayWriteTo("ada@lagoon.example", "Invitation");
  }
  expect(throttle.mayWriteTo("ada@lagoon.example", "Reset")).toBe(true);
});
