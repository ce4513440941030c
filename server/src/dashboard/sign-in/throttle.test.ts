import { expect, test } from "vitest";
import { Failure } from "../../foundation/failure.ts";
import { Throttle } from "./throttle.ts";

const stranger = (ip: string, account = "ada@lagoon.example") => ({
  account,
  ip,
  knownDevice: undefined,
});

/** How many wrong passwords are looked at before no more are. */
function attemptsOf(
  throttle: Throttle,
  attempt: Parameters<Throttle["refusePassword"]>[0],
): number {
  for (let count = 0; count < 1_000; count++) {
    try {
      throttle.refusePassword(attempt);
    } catch (error) {
      expect(error).toBeInstanceOf(Failure);
      return count;
    }
    throttle.countWrongPassword(attempt);
  }
  return Number.POSITIVE_INFINITY;
}

test("one address has ten guesses at one account", () => {
  expect(attemptsOf(new Throttle(), stranger("192.0.2.1"))).toBe(10);
});

test("one address has sixty guesses at all accounts together", () => {
  const throttle = new Throttle();
  let total = 0;
  for (let i = 0; i < 20; i++)
    total += attemptsOf(throttle, stranger("192.0.2.1", `p${i}@x.example`));
  expect(total).toBe(60);
});

test("whoever guesses spends neither another address's budget nor a known browser's", () => {
  const throttle = new Throttle();
  attemptsOf(throttle, stranger("192.0.2.1"));
  expect(attemptsOf(throttle, stranger("192.0.2.2"))).toBe(10);
  expect(attemptsOf(throttle, { ...stranger("192.0.2.1"), knownDevice: "hers" })).toBe(20);
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
  const sent = Array.from({ length: 10 }, () => throttle.mayWriteTo("ada@lagoon.example"));
  expect(sent.filter(Boolean)).toHaveLength(4);
  expect(throttle.mayWriteTo("obi@lagoon.example")).toBe(true);
});
