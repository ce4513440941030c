import { afterEach, beforeEach, expect, test } from "vitest";
import { until } from "../../server/test/harness/eventually.ts";
import type { Program } from "../../server/test/harness/process.ts";
import { Receiver, verify } from "../../server/test/harness/receiver.ts";
import type { TestService } from "../../server/test/harness/service.ts";
import { launchCommand } from "./harness/command.ts";
import { served } from "./harness/served.ts";

let service: TestService;
let receiver: Receiver;
served((opened) => {
  service = opened;
});
beforeEach(async () => {
  receiver = await Receiver.open();
});
afterEach(() => receiver.goDown());

async function listen(...args: string[]): Promise<Program> {
  const program = launchCommand(["listen", ...args], service.environment);
  await until("it listens", () => program.stderr.includes("Listening") || program.hasExited);
  // The place from which it listens is read right after it has said so.
  return program;
}

const deposit = async (amount: number): Promise<void> => {
  await service.client.post("/simulator/wallets/deposits", { currency: "USD", amount });
};

const amountsOf = (): number[] => receiver.received.map(({ body }) => body.data.amount);

/** Deposits until the first has been seen: what happened before it listened is none of its business. */
async function untilHeard(): Promise<void> {
  await until("it hears", async () => {
    if (receiver.received.length > 0) return true;
    await deposit(1);
    return false;
  });
}

test("events are shown as they happen, and forwarded with a signature that is good", async () => {
  await deposit(7);
  const program = await listen("--forward-to", receiver.url);
  await untilHeard();
  await deposit(1234.5);
  await until("it is forwarded", () => amountsOf().includes(1234.5));
  expect(amountsOf()).not.toContain(7);
  for (const message of receiver.received) {
    expect(verify(message, service.sandbox.webhookSecret)).toEqual(message.body);
    expect(message.headers["webhook-id"]).toBe(message.body.eventId);
    expect(program.stdout).toContain(message.body.eventId);
  }
  program.kill("SIGINT");
  expect((await program.exited).code).toBe(0);
  expect(program.stdout).toMatch(/wallet\.deposited {2,}evt_/);
  expect(program.stderr).toMatch(/→ evt_\w+ {2}200 in \d+ ms/);
});

test("a delivery that fails is tried again until it is accepted", async () => {
  let refusals = 2;
  receiver.answerWith((response) => {
    refusals -= 1;
    response.writeHead(refusals >= 0 ? 503 : 200).end();
  });
  const program = await listen("--forward-to", receiver.url, "--events", "wallet.*");
  await untilHeard();
  await until("it is accepted", () => /200 in \d+ ms\n/.test(program.stderr));
  program.kill("SIGTERM");
  expect((await program.exited).code).toBe(0);
  expect(program.stderr).toMatch(/503 in \d+ ms, again in 0\.5 s/);
});

test("many that are refused at once are told, and nothing else is", async () => {
  receiver.answerWith(503);
  for (let n = 0; n < 12; n++) await deposit(1);
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const program = await listen("--from", since, "--count", "12", "--forward-to", receiver.url);
  await until("all have been refused", () => program.stderr.split("again in 0.5 s").length > 12);
  program.kill("SIGINT");
  expect((await program.exited).code).toBe(0);
  expect(program.stderr).not.toContain("Warning");
});

test("for programs it prints one event a line, from any time on, and as many as are wanted", async () => {
  await deposit(3);
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const program = await listen("--json", "--from", since, "--count", "2");
  expect((await program.exited).code).toBe(0);
  const events = program.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(events).toHaveLength(2);
  expect(events[0]).toMatchObject({ eventType: "wallet.deposited", data: { currency: "USD" } });
});

test("only the types that are wanted", async () => {
  const since = new Date(Date.now() - 3_600_000).toISOString();
  await service.client.post("/kyc/business", {
    clientReference: "b",
    businessKyc: {
      registeredName: "B",
      registrationNumber: "1",
      address: { street: "1", city: "Lagos", state: "Lagos", country: "NG" },
    },
  });
  const program = await listen("--json", "--from", since, "--events", "kyc.*", "--count", "1");
  expect((await program.exited).code).toBe(0);
  expect(JSON.parse(program.stdout).eventType).toBe("kyc.initiated");
});

test("a delivery is given up after as many retries as are wanted", async () => {
  receiver.answerWith(503);
  await deposit(5);
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const forward = ["--forward-to", receiver.url, "--retries", "1"];
  const program = await listen("--from", since, "--count", "1", ...forward);
  expect((await program.exited).code).toBe(0);
  expect(receiver.received).toHaveLength(2);
  expect(program.stderr).toMatch(/503 in \d+ ms, given up/);
});
