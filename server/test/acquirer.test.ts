import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runTraffic } from "../src/network/acquirer/run.ts";
import { Traffic } from "../src/network/acquirer/traffic.ts";
import { CommandError } from "../src/operator/command.ts";
import { runCommand } from "./harness/command.ts";
import { until } from "./harness/eventually.ts";
import { type NetworkSandbox, placeOf, startNetworkSandbox } from "./harness/network.ts";
import { cleanUp, launchFlorin } from "./harness/process.ts";

let network: NetworkSandbox;
const directory = mkdtempSync(join(tmpdir(), "florin-acquirer-"));
beforeAll(async () => {
  network = await startNetworkSandbox();
});
afterAll(async () => {
  await cleanUp();
  await network.stop();
  rmSync(directory, { recursive: true, force: true });
});

const run = (...args: string[]) => {
  const { port } = placeOf(network.service.networkAddress);
  return runCommand(["acquirer", ...args, "--port", String(port)], network.service.environment);
};

function fileOf(name: string, ...lines: (object | string)[]): string {
  const path = join(directory, name);
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  writeFileSync(path, text.join("\n"));
  return path;
}

test("a sandbox without cards says what to do first", async () => {
  await expect(run("--count", "1")).rejects.toThrow(/issue one first/);
});

test("random traffic on few cards: every answer is right, and so are the books", async () => {
  const cards = [await network.issue(50), await network.issue(500), await network.issue(5_000)];
  const connection = await network.connect();
  const report = await runTraffic({
    connection,
    source: new Traffic({ terminal: network.terminal, cards }),
    inFlight: 64,
    count: 3_000,
  });
  expect([...report.faults]).toEqual([]);
  expect(report.unanswered).toBe(0);
  expect(report.tally.count).toBe(3_000);
  expect([...report.tally.responses.keys()]).toEqual(expect.arrayContaining(["00", "51"]));
  expect(connection.strays).toEqual([]);
  expect(await network.problems()).toEqual([]);
});

test("the command prints a table that grows, and a summary", async () => {
  const { code, text } = await run("--count", "200", "--in-flight", "8");
  expect(code).toBe(0);
  expect(text).toMatch(/^second +rate\/s +p50 ms +p99 ms +answers by DE 39$/m);
  expect(text).toMatch(/^ +all +\d+ +[\d.]+ +[\d.]+ +.*00: \d+/m);
  expect(text).toContain("200 answers in");
  expect(text).toContain("Every answer was as it must be.");
});

test("a rate is kept to", async () => {
  const { code, text } = await run("--count", "30", "--rate", "100", "--in-flight", "32");
  expect(code).toBe(0);
  const seconds = Number(/answers in ([\d.]+) s/.exec(text)?.[1]);
  // Not a measure of speed: 30 messages at 100 a second cannot take less.
  expect(seconds).toBeGreaterThanOrEqual(0.2);
});

test("Ctrl-C ends it with its summary", async () => {
  await network.issue(50);
  const { port } = placeOf(network.service.networkAddress);
  const asked = ["acquirer", "--seconds", "1000", "--rate", "5", "--port", String(port)];
  const program = launchFlorin(asked, network.service.environment);
  await until("a second has passed", () => /^ +1 /m.test(program.stdout));
  program.killGroup("SIGINT");
  expect(await program.exited).toEqual({ code: 0, signal: null });
  expect(program.stderr).toBe("");
  expect(program.stdout).toContain("Every answer was as it must be.");
});

test("a script is sent step by step, and says which steps were answered otherwise", async () => {
  const { pan, cvv } = await network.issue(100);
  const cards = fileOf("cards.txt", pan, `${pan},2001,${cvv}`);
  const script = fileOf(
    "script.jsonl",
    "# Buys something and thinks again.",
    { send: "0800", code: "301" },
    { name: "coffee", send: "0100", amount: 12.5 },
    { name: "again", send: "0100", about: "coffee", repeat: true },
    { send: "0420", about: "coffee", remaining: 2.5 },
    { send: "0220", about: "coffee", amount: 2.5 },
    { send: "0220", about: "coffee", kind: "refund", amount: 2.5 },
    { name: "ticket", send: "0200", amount: 80 },
    { send: "0400", about: "ticket" },
    { send: "0120", kind: "cash", amount: 5 },
    { send: "0220", amount: 1 },
    { send: "0100", amount: 1, card: 1, expect: "54" },
    { send: "0100", amount: 1, currency: "JPY", expect: "57" },
    { send: "0100", amount: 1, fields: { 14: "9913" }, expect: "30" },
    { name: "surprise", send: "0100", amount: 1_000 },
  );
  const { code, text } = await run("--cards", cards, "--script", script);
  expect(code).toBe(1);
  expect(text).toContain("14 steps, 1 failed.");
  expect(text).toMatch(/^surprise +0100 +51 +[\d.]+ +DE 39 is 51, not 00$/m);
  expect(text).not.toContain(pan);
  expect(await network.problems()).toEqual([]);
});

test.each<[string, () => string[], RegExp]>([
  ["a number that is none", () => ["--count", "many"], /--count is a whole number/],
  ["half of TLS", () => ["--tls-ca", "x"], /go together/],
  ["an acquirer that is none", () => ["--acquirer", "A"], /--acquirer/],
  ["cards that are none", () => ["--cards", fileOf("bad.txt", "4111x")], /Line 1 .* is no card/],
  ["no cards", () => ["--cards", "/nowhere"], /cannot be read/],
  ["a script of no JSON", () => ["--script", fileOf("bad.jsonl", "send")], /Line 1 is not JSON/],
  [
    "a step that is none",
    () => ["--script", fileOf("step.jsonl", { send: "0110" })],
    /Line 1: send/,
  ],
  [
    "a step about nothing",
    () => ["--script", fileOf("about.jsonl", { send: "0420", about: "x" })],
    /Line 1: no step before is called x/,
  ],
  [
    "a field that is none",
    () => ["--script", fileOf("field.jsonl", { name: "tea", send: "0100", fields: { "22": "5" } })],
    /Step tea makes no message: DE 22 .* must have 3 characters/,
  ],
  [
    "an amount that is none",
    () => ["--script", fileOf("amount.jsonl", { send: "0100", amount: 1.234 })],
    /Step 1 makes no message: /,
  ],
])("%s is told", async (_what, args, problem) => {
  const attempt = run(...args());
  await expect(attempt).rejects.toThrow(CommandError);
  await expect(attempt).rejects.toThrow(problem);
});

test("a gateway that is not there is told", async () => {
  const attempt = runCommand(["acquirer", "--port", "1"], network.service.environment);
  await expect(attempt).rejects.toThrow(/cannot be reached/);
});
