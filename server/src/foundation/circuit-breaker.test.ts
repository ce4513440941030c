import fc from "fast-check";
import { expect, test } from "vitest";
import { CircuitBreaker, CircuitOpen } from "./circuit-breaker.ts";

class Fault extends Error {}

function breaker(options: { maxFaults?: number; openMs?: number; maxOpenMs?: number } = {}) {
  const clock = { nowMs: 1000 };
  const made = new CircuitBreaker({
    maxFaults: 3,
    openMs: 100,
    maxOpenMs: 350,
    ...options,
    nowMs: () => clock.nowMs,
    isFault: (error) => error instanceof Fault,
  });
  const succeed = () => made.run(async () => "ok");
  const fail = () => expect(made.run(() => Promise.reject(new Fault()))).rejects.toThrow(Fault);
  const isRefused = () => expect(succeed()).rejects.toThrow(CircuitOpen);
  return { clock, made, succeed, fail, isRefused };
}

/** Work that ends when told. */
function pending() {
  let end: (error?: Error) => void = () => {};
  const promise = new Promise<string>((resolve, reject) => {
    end = (error) => (error === undefined ? resolve("ok") : reject(error));
  });
  return { work: () => promise, end };
}

test("faults in a row open it, and a success in between starts the count again", async () => {
  const { made, succeed, fail, isRefused } = breaker();
  await fail();
  await fail();
  await expect(succeed()).resolves.toBe("ok");
  await fail();
  await fail();
  expect(made.state).toBe("Closed");
  await fail();
  expect(made.state).toBe("Open");
  await isRefused();
});

test("what is nobody's fault counts neither way", async () => {
  const { made, fail } = breaker();
  await fail();
  await fail();
  for (let i = 0; i < 10; i++) {
    await expect(made.run(() => Promise.reject(new TypeError()))).rejects.toThrow(TypeError);
  }
  expect(made.state).toBe("Closed");
  await fail();
  expect(made.state).toBe("Open");
});

test("when its time is over a single probe passes, and its success closes it", async () => {
  const { clock, made, fail, succeed, isRefused } = breaker({ maxFaults: 1 });
  await fail();
  clock.nowMs += 99;
  await isRefused();
  clock.nowMs += 1;
  expect(made.state).toBe("HalfOpen");
  const probe = pending();
  const probing = made.run(probe.work);
  await isRefused();
  probe.end();
  await expect(probing).resolves.toBe("ok");
  expect(made.state).toBe("Closed");
  await expect(succeed()).resolves.toBe("ok");
});

test("each probe that fails doubles the time, up to its bound, and a success ends that", async () => {
  const { clock, made, fail, succeed } = breaker({ maxFaults: 1 });
  await fail();
  for (const openMs of [100, 200, 350, 350]) {
    clock.nowMs += openMs - 1;
    expect(made.state).toBe("Open");
    clock.nowMs += 1;
    expect(made.state).toBe("HalfOpen");
    await fail();
  }
  clock.nowMs += 350;
  await succeed();
  await fail();
  clock.nowMs += 100;
  expect(made.state).toBe("HalfOpen");
});

test("a probe that says nothing leaves room for the next", async () => {
  const { clock, made, fail, succeed } = breaker({ maxFaults: 1 });
  await fail();
  clock.nowMs += 100;
  await expect(made.run(() => Promise.reject(new TypeError()))).rejects.toThrow(TypeError);
  expect(made.state).toBe("HalfOpen");
  await expect(succeed()).resolves.toBe("ok");
  expect(made.state).toBe("Closed");
});

test("what was asked before it opened neither closes it nor keeps it open", async () => {
  const { clock, made, fail } = breaker({ maxFaults: 1 });
  const early = pending();
  const late = pending();
  const asked = [made.run(early.work), made.run(late.work)];
  await fail();
  early.end();
  await asked[0];
  expect(made.state).toBe("Open");
  clock.nowMs += 99;
  late.end(new Fault());
  await expect(asked[1]).rejects.toThrow(Fault);
  clock.nowMs += 1;
  expect(made.state).toBe("HalfOpen");
});

test("work that throws at once is treated as work that fails", async () => {
  const { made } = breaker({ maxFaults: 1 });
  const thrown = made.run(() => {
    throw new Fault();
  });
  await expect(thrown).rejects.toThrow(Fault);
  expect(made.state).toBe("Open");
});

test("it always lets work through again within its longest time", async () => {
  const steps = fc.array(fc.constantFrom("succeed", "fail", "wait"), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const { clock, made, succeed } = breaker();
      for (const step of taken) {
        if (step === "wait") clock.nowMs += 60;
        const work = () => (step === "fail" ? Promise.reject(new Fault()) : Promise.resolve("ok"));
        await made.run(work).catch(() => undefined);
      }
      clock.nowMs += 350;
      await expect(succeed()).resolves.toBe("ok");
    }),
  );
});
