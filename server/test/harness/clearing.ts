import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach } from "vitest";
import { Terminal } from "../../src/network/acquirer/terminal.ts";
import type { Message } from "../../src/network/iso8583/fields.ts";
import { runCommand } from "./command.ts";
import { gatewayService, type OpenGateway } from "./gateway-service.ts";
import { accepted, type IssuedCard, type NetworkSandbox } from "./network.ts";

/** Clearing files, and how a sandbox imports them. */
export interface ClearingDesk {
  fileOf(...lines: (object | string)[]): string;
  run(...args: string[]): Promise<{ code: number; text: string }>;
  /** What the outcome of each line is, and what is missing. */
  importLines(file: string): Promise<{ code: number; outcomes: string[] }>;
  /** What is missing after these lines, with its amount. */
  missingAfter(...lines: object[]): Promise<string[]>;
  close(): void;
}

export function openClearingDesk(network: () => NetworkSandbox): ClearingDesk {
  const directory = mkdtempSync(join(tmpdir(), "florin-clearing-"));
  let files = 0;
  const run = (...args: string[]) =>
    runCommand(["clearing", "import", ...args], network().service.environment);
  const fileOf = (...lines: (object | string)[]): string => {
    files += 1;
    const path = join(directory, `clearing-${files}.jsonl`);
    const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
    writeFileSync(path, `${text.join("\n")}\n`);
    return path;
  };
  const report = async (file: string): Promise<{ code: number; rows: string[][] }> => {
    const { code, text } = await run(file, "--csv");
    const [, ...rows] = text.split("\n").map((line) => line.split(","));
    return { code, rows };
  };
  return {
    fileOf,
    run,
    importLines: async (file) => {
      const { code, rows } = await report(file);
      return {
        code,
        outcomes: rows.map(([line, outcome, , , , , , note]) => `${line} ${outcome} ${note}`),
      };
    },
    missingAfter: async (...lines) => {
      const { rows } = await report(fileOf(...lines));
      const missing = rows.filter(([, outcome]) => outcome === "Missing");
      return missing.map(([, , kind, , amount]) => `${kind} ${amount}`);
    },
    close: () => rmSync(directory, { recursive: true, force: true }),
  };
}

interface ClearingTest extends OpenGateway {
  acquirerId: number;
}

/**
 * A gateway for the tests of a file, with books that hold at the end, and a desk. Each test is another acquirer, so
 * that only its own payments can be missing.
 */
export function clearingService(begun: (test: ClearingTest) => void) {
  let gateway: OpenGateway;
  let acquirerId = 200_000;
  gatewayService((open) => {
    gateway = open;
  });
  beforeEach(() => {
    acquirerId += 1;
    const terminal = new Terminal({ acquirer: String(acquirerId) });
    begun({ ...gateway, terminal, acquirerId });
  });
  const desk = openClearingDesk(() => gateway.network);
  afterAll(() => desk.close());
  const ask = (message: Message): Promise<Message> => accepted(gateway.acquirer, message);
  return { ...desk, ask };
}

/** The line that settles a purchase of 20.00. */
export function lineOf(purchase: Message, { pan }: IssuedCard, change: object = {}) {
  const { 32: acquirer, 37: retrieval, 11: trace, 7: transmitted } = purchase.fields;
  const named = { acquirer, retrievalReference: retrieval?.trim(), trace, transmitted };
  return { kind: "Settlement", pan, amount: "20.00", currency: "USD", ...named, ...change };
}
