import { expect, test } from "vitest";
import type { Message } from "../iso8583/fields.ts";
import type { Mti } from "../iso8583/message-types.ts";
import { Predecessors } from "./predecessors.ts";

const about = (mti: Mti, retrieval?: string, pan = "4111110000000001"): Message => ({
  mti,
  fields: { 2: pan, ...(retrieval === undefined ? {} : { 37: retrieval }) },
});

/** Work that is done when it is told. */
function work() {
  let finish: () => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const state = { isStarted: false, finish: () => finish(), fail: (error: Error) => fail(error) };
  const run = (): Promise<void> => {
    state.isStarted = true;
    return new Promise((resolve, reject) => {
      finish = resolve;
      fail = reject;
    });
  };
  return { state, run };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test.each(["0100", "0120", "0200", "0220", "0420"] as const)(
  "a completion begins when the %s before it is done",
  async (mti) => {
    const predecessors = new Predecessors();
    const [first, second] = [work(), work()];
    void predecessors.run(about(mti, "1"), first.run);
    const completed = predecessors.run(about("0220", "1"), second.run);
    await settled();
    expect(second.state.isStarted).toBe(false);
    first.state.finish();
    await settled();
    expect(second.state.isStarted).toBe(true);
    second.state.finish();
    await completed;
    await settled();
    expect(predecessors.size).toBe(0);
  },
);

test("it waits for all before it, and for one that fails no longer than that", async () => {
  const predecessors = new Predecessors();
  const [first, second, third] = [work(), work(), work()];
  const failed = predecessors.run(about("0100", "1"), first.run);
  void predecessors.run(about("0101", "1"), second.run);
  void predecessors.run(about("0221", "1"), third.run);
  second.state.finish();
  await settled();
  expect(third.state.isStarted).toBe(false);
  first.state.fail(new Error("lost"));
  await expect(failed).rejects.toThrow("lost");
  await settled();
  expect(third.state.isStarted).toBe(true);
});

test("one that comes when the first of them is done waits for the others", async () => {
  const predecessors = new Predecessors();
  const [first, second, third] = [work(), work(), work()];
  void predecessors.run(about("0100", "1"), first.run);
  void predecessors.run(about("0220", "1"), second.run);
  first.state.finish();
  await settled();
  expect(second.state.isStarted).toBe(true);
  void predecessors.run(about("0220", "1"), third.run);
  await settled();
  expect(third.state.isStarted).toBe(false);
  second.state.finish();
  await settled();
  expect(third.state.isStarted).toBe(true);
});

test.each([
  ["a purchase", about("0100", "1")],
  ["a reversal", about("0420", "1")],
  ["another payment's completion", about("0220", "2")],
  ["another card's", about("0220", "1", "4111110000000002")],
  ["one without a DE 37, which is refused", about("0220")],
])("%s waits for nobody", (_what, message) => {
  const predecessors = new Predecessors();
  const other = work();
  void predecessors.run(about("0100", "1"), work().run);
  void predecessors.run(message, other.run);
  expect(other.state.isStarted).toBe(true);
});
