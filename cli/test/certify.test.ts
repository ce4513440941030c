import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { cleanUp, freePort } from "../../server/test/harness/process.ts";
import { florin } from "./harness/command.ts";
import {
  type ClientProgram,
  carelessReceiver,
  fussyReceiver,
  goodDecider,
  goodReceiver,
  gullibleReceiver,
  moodyDecider,
  slowDecider,
} from "./harness/receivers.ts";

const SECRET = `whsec_${Buffer.from("a secret of the certify tests").toString("base64")}`;

let folder: string;
let program: ClientProgram | undefined;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "florin-certify-"));
  const profile = { apiUrl: "http://127.0.0.1:1", identityUrl: "http://127.0.0.1:1" };
  const credentials = { clientId: "c", clientSecret: "s", uniqueKey: "u", webhookSecret: SECRET };
  writeFileSync(join(folder, "sandbox.json"), JSON.stringify({ ...profile, ...credentials }));
});
afterEach(() => program?.stop());
afterAll(async () => {
  await cleanUp();
  rmSync(folder, { recursive: true, force: true });
});

interface Report {
  score: number;
  passed: number;
  failed: number;
  notJudged: number;
  checks: { name: string; result: string; seen: string }[];
}

/** The service takes no part in it, so none is started. */
async function certify(...args: string[]): Promise<{ code: number | null; report: Report }> {
  const environment = { FLORIN_DATA_DIR: folder };
  const { code, stdout, stderr } = await florin(["certify", "--json", ...args], environment);
  expect(stderr).toBe("");
  return { code, report: JSON.parse(stdout) };
}

const failures = ({ checks }: Report): string[] =>
  checks.filter(({ result }) => result === "failed").map(({ name }) => name);

describe("a receiver of webhooks", () => {
  test("that is right passes everything", async () => {
    program = await goodReceiver(SECRET);
    const probe = `${program.url}/{cardId}`;
    const { code, report } = await certify("--webhook", program.url, "--probe", probe);
    expect({ failures: failures(report), notJudged: report.notJudged }).toEqual({
      failures: [],
      notJudged: 0,
    });
    expect({ code, score: report.score }).toEqual({ code: 0, score: 100 });
  });

  test("that is not idempotent fails, and it is said why", async () => {
    program = await carelessReceiver(SECRET);
    const probe = `${program.url}/{cardId}`;
    const { code, report } = await certify("--webhook", program.url, "--probe", probe);
    expect(code).toBe(1);
    expect(failures(report)).toEqual([
      "acts once on a duplicate",
      "acts once on two copies that arrive at the same moment",
      "ends in the same state whatever the order",
    ]);
  });

  test("that only tells how much it has done is judged by that", async () => {
    program = await carelessReceiver(SECRET);
    const { code, report } = await certify("--webhook", program.url, "--probe", program.url);
    expect({ code, notJudged: report.notJudged }).toEqual({ code: 1, notJudged: 1 });
    expect(failures(report)).toHaveLength(2);
  });

  test("whose state cannot be seen is not judged by it", async () => {
    program = await carelessReceiver(SECRET);
    const { code, report } = await certify("--webhook", program.url);
    expect({ code, failed: report.failed, notJudged: report.notJudged }).toEqual({
      code: 0,
      failed: 0,
      notJudged: 3,
    });
  });

  test("that believes everybody fails every forgery", async () => {
    program = await gullibleReceiver();
    const { code, report } = await certify("--webhook", program.url);
    expect(code).toBe(1);
    expect(failures(report)).toHaveLength(5);
    expect(failures(report).every((name) => name.startsWith("refuses "))).toBe(true);
  });

  test("that is fussy fails by what it does not accept, and by failing instead of refusing", async () => {
    program = await fussyReceiver(SECRET);
    const { code, report } = await certify("--webhook", program.url);
    expect(code).toBe(1);
    const [forgeries, others] = [true, false].map((wanted) =>
      failures(report).filter((name) => name.startsWith("refuses ") === wanted),
    );
    expect(forgeries).toHaveLength(5);
    expect(others).toEqual([
      "accepts either of two signatures, as during a rotation of the secret",
      "accepts types and fields that it does not know",
      "accepts a duplicate, so that it is not sent for ever",
    ]);
  });

  test("that does not exist fails everything that can be judged", async () => {
    const { code, report } = await certify("--webhook", `http://127.0.0.1:${await freePort()}/`);
    expect({ code, passed: report.passed }).toEqual({ code: 1, passed: 0 });
    expect(report.checks[0]?.seen).toContain("connection refused");
  });
});

describe("a server that decides", () => {
  const FEW = ["--questions", "20", "--concurrency", "4"];

  test("that does not exist fails everything, and each time it is said why", async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}/`;
    const { code, report } = await certify("--authorization", nowhere, "--questions", "1");
    expect({ code, passed: report.passed }).toEqual({ code: 1, passed: 0 });
    const repeated = report.checks.find(({ name }) => name.startsWith("answers a repeated"));
    expect(repeated?.seen).toMatch(/^no answer: .*connection refused/);
  });

  // How fast this machine is today says nothing about the command.
  const notByTime = (names: string[]): string[] => names.filter((name) => !name.includes("400 ms"));

  test("that is right passes", async () => {
    program = await goodDecider(SECRET);
    const { report } = await certify("--authorization", program.url, ...FEW);
    expect(notByTime(failures(report))).toEqual([]);
    expect(report.checks.at(-1)?.seen).toMatch(/p50 \d+ ms, p99 \d+ ms, longest \d+ ms/);
  });

  test("that takes longer than 400 ms fails", async () => {
    program = await slowDecider(SECRET);
    const few = ["--questions", "2", "--concurrency", "2"];
    const { code, report } = await certify("--authorization", program.url, ...few);
    expect(code).toBe(1);
    expect(failures(report)).toEqual(["answers within 400 ms, 2 questions, 2 at a time"]);
    expect(report.checks.at(-1)?.seen).toMatch(/^2 came too late, 0 were no decision/);
  });

  test("that is moody and deaf to advice fails", async () => {
    program = await moodyDecider(SECRET);
    const { code, report } = await certify("--authorization", program.url, ...FEW);
    expect(code).toBe(1);
    expect(notByTime(failures(report))).toEqual([
      "decides pre-authorizations, cash and verifications of 0.00",
      "answers a repeated question as it did the first time",
      "accepts advice of what happened, also for a second time",
      "accepts the reversal of something that it has never heard of",
    ]);
  });
});

test("the secret may come from the environment alone", async () => {
  const other = `whsec_${Buffer.from("another secret, of the environment").toString("base64")}`;
  program = await goodReceiver(other);
  const certifying = ["certify", "--webhook", program.url, "--json"];
  const environment = { FLORIN_DATA_DIR: join(folder, "nowhere"), FLORIN_WEBHOOK_SECRET: other };
  const { code, stdout } = await florin(certifying, environment);
  expect({ code, failures: failures(JSON.parse(stdout)) }).toEqual({ code: 0, failures: [] });
  const profile = ["--profile", join(folder, "sandbox.json")];
  expect((await florin([...certifying, ...profile], environment)).code).toBe(0);
  const help = await florin(["certify", "--help"], {});
  expect(help.stdout.replaceAll(/\s+/g, " ")).toContain("better set FLORIN_WEBHOOK_SECRET");
});

test("for people there is a list and a score", async () => {
  program = await goodReceiver(SECRET);
  const { code, stdout } = await florin(["certify", "--webhook", program.url], {
    FLORIN_DATA_DIR: folder,
  });
  expect(code).toBe(0);
  expect(stdout).toContain("✓ accepts a signed event");
  expect(stdout).toMatch(/Passed: \d+ of \d+ checks \(100 %\), 3 not judged\.\n$/);
});

test.each([
  [["certify"], /--webhook, --authorization or both/],
  [["certify", "--webhook", "http://x", "--secret", "abc"], /whsec_/],
])("a mistake is explained: %j", async (args, expected) => {
  const { code, stderr } = await florin(args, { FLORIN_DATA_DIR: folder });
  expect(code).toBe(2);
  expect(stderr).toMatch(expected);
});
