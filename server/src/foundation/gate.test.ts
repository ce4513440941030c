import { expect, test } from "vitest";
import { Gate, GateBusy } from "./gate.ts";

const nobody = new AbortController().signal;

const open = (change: Partial<ConstructorParameters<typeof Gate>[0]> = {}) =>
  new Gate({ maxInside: 2, maxInsidePerKey: 2, maxWaiting: 2, patienceMs: 60_000, ...change });

/** Notes who got in, in order. */
function visits(gate: Gate) {
  const entered: string[] = [];
  const leaves = new Map<string, () => void>();
  const visit = async (name: string, key = name, signal = nobody): Promise<void> => {
    leaves.set(name, await gate.enter(key, signal));
    entered.push(name);
  };
  const leave = async (name: string): Promise<void> => {
    leaves.get(name)?.();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { entered, visit, leave };
}

test("who finds it full waits, and the first to come is the first to enter", async () => {
  const { entered, visit, leave } = visits(open());
  const all = ["a", "b", "c", "d"].map((name) => visit(name));
  await Promise.all(all.slice(0, 2));
  expect(entered).toEqual(["a", "b"]);
  await leave("b");
  expect(entered).toEqual(["a", "b", "c"]);
  await leave("a");
  await Promise.all(all);
  expect(entered).toEqual(["a", "b", "c", "d"]);
});

test("leaving twice makes room once", async () => {
  const { entered, visit, leave } = visits(open({ maxInside: 1 }));
  await visit("a");
  void visit("b");
  void visit("c");
  await leave("a");
  await leave("a");
  expect(entered).toEqual(["a", "b"]);
});

test("one key cannot keep the others out, neither inside nor in front", async () => {
  const { entered, visit, leave } = visits(open({ maxInside: 3, maxInsidePerKey: 1 }));
  await visit("a1", "a");
  void visit("a2", "a");
  await visit("b");
  await visit("c");
  expect(entered).toEqual(["a1", "b", "c"]);
  await leave("c");
  expect(entered).toEqual(["a1", "b", "c"]);
  await leave("a1");
  expect(entered).toEqual(["a1", "b", "c", "a2"]);
});

test("keys take turns, however many wait with one", async () => {
  const { entered, visit, leave } = visits(open({ maxInside: 1, maxWaiting: 9 }));
  await visit("a1", "a");
  for (const name of ["a2", "a3", "a4"]) void visit(name, "a");
  void visit("b1", "b");
  void visit("b2", "b");
  for (const name of ["a1", "a2", "b1", "a3", "b2"]) await leave(name);
  expect(entered).toEqual(["a1", "a2", "b1", "a3", "b2", "a4"]);
});

test("when enough wait with one key, its next is sent away and others may wait still", async () => {
  const gate = open({ maxInside: 1, maxWaiting: 3, maxWaitingPerKey: 1 });
  const { entered, visit, leave } = visits(gate);
  await visit("a1", "a");
  void visit("a2", "a");
  await expect(visit("a3", "a")).rejects.toBeInstanceOf(GateBusy);
  void visit("b");
  for (const name of ["a1", "a2", "b"]) await leave(name);
  expect(entered).toEqual(["a1", "a2", "b"]);
  await visit("a4", "a");
  const waiting = visit("a5", "a");
  await expect(visit("a6", "a")).rejects.toBeInstanceOf(GateBusy);
  await leave("a4");
  await waiting;
});

test("when enough wait, the next is sent away", async () => {
  const { visit } = visits(open({ maxInside: 1, maxWaiting: 1 }));
  await visit("a");
  void visit("b");
  await expect(visit("c")).rejects.toBeInstanceOf(GateBusy);
});

test("who waits too long is sent away, and misses nobody's turn", async () => {
  const { entered, visit, leave } = visits(open({ maxInside: 1, patienceMs: 5 }));
  await visit("a");
  await expect(visit("b")).rejects.toBeInstanceOf(GateBusy);
  await leave("a");
  await visit("c");
  expect(entered).toEqual(["a", "c"]);
});

test("who must not be sent away waits longer, and where enough wait already", async () => {
  const gate = open({ maxInside: 1, maxWaiting: 1, patienceMs: 5 });
  const { entered, visit, leave } = visits(gate);
  await visit("a");
  const impatient = visit("b");
  const patient = gate.enterHoweverLate("a", nobody).then(() => entered.push("patient"));
  await expect(visit("c")).rejects.toBeInstanceOf(GateBusy);
  await expect(impatient).rejects.toBeInstanceOf(GateBusy);
  await new Promise((resolve) => setTimeout(resolve, 20));
  await leave("a");
  await patient;
  expect(entered).toEqual(["a", "patient"]);
});

test("who must not be sent away may give up", async () => {
  const gate = open({ maxInside: 1 });
  const { entered, visit, leave } = visits(gate);
  const gone = new AbortController();
  await visit("a");
  const waiting = gate.enterHoweverLate("a", gone.signal);
  gone.abort();
  await expect(waiting).rejects.toBeInstanceOf(GateBusy);
  await leave("a");
  await visit("b");
  expect(entered).toEqual(["a", "b"]);
});

test("who gives up is not let in", async () => {
  const { entered, visit, leave } = visits(open({ maxInside: 1 }));
  const gone = new AbortController();
  await visit("a");
  const waiting = visit("b", "b", gone.signal);
  gone.abort();
  await expect(waiting).rejects.toBeInstanceOf(GateBusy);
  await expect(visit("c", "c", gone.signal)).rejects.toBeInstanceOf(GateBusy);
  await leave("a");
  await visit("d");
  expect(entered).toEqual(["a", "d"]);
});
