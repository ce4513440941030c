import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  newDataDir,
  florin as operatorProgram,
  untilReady,
} from "../../server/test/harness/process.ts";
import type { TestService } from "../../server/test/harness/service.ts";
import { launchCommand, launchUnread } from "./harness/command.ts";
import { served } from "./harness/served.ts";

let service: TestService;
const { run, json } = served((opened) => {
  service = opened;
});

const named = ({ organizationId }: { organizationId: string }): string => organizationId;

describe("the operator's commands", () => {
  test("all are known here, with the same words", async () => {
    const theirs = (await operatorProgram(["--help"], {})).stdout;
    const { operatorCommands } = await import("../src/commands/operator.ts");
    const lines = theirs.split("\n").filter((line) => line.startsWith("  "));
    expect(lines.map((line) => line.trim().replace(/ {2,}/g, "  "))).toEqual(
      operatorCommands.map(
        ([name, parameters, summary]) => `${`${name} ${parameters}`.trim()}  ${summary}`,
      ),
    );
  });

  test.each([
    [["audit", "--json"]],
    [["org", "disable", "org_none"]],
    [["keys", "rotate", "now"]],
    [["migrate", "--json"]],
  ])("%j says and ends as it does there", async (args) => {
    const [here, there] = await Promise.all([
      run(...args),
      operatorProgram(args, service.environment),
    ]);
    expect(here).toEqual(there);
  });

  test("the help of the acquirer has every option that it takes", async () => {
    const { stdout: help } = await run("acquirer", "--help");
    const { stderr: refusal } = await run("acquirer", "--bogus");
    const taken = refusal.slice(refusal.indexOf("takes")).match(/--[a-z-]+/g) ?? [];
    expect(taken.length).toBeGreaterThan(10);
    expect(taken.filter((option) => !help.includes(option))).toEqual([]);
  });

  test("whoever stops reading what they print neither stops them nor makes them succeed", async () => {
    const file = join(newDataDir(), "clearing.csv");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "no columns\n".repeat(3));
    const { exited } = launchUnread(["clearing", "import", file, "--csv"], service.environment);
    expect(await exited).toMatchObject({ code: 1 });
  });

  test("what they print can be had as JSON, wherever that is asked for", async () => {
    const { organizationId } = await json("org", "create", "Programs");
    expect((await json("org", "list")).map(named)).toContain(organizationId);
    const early = await run("--json", "org", "list");
    expect(JSON.parse(early.stdout).map(named)).toContain(organizationId);
  });

  test("what they have changed can be had as JSON", async () => {
    const { organizationId } = await json("org", "create", "Changes");
    expect(await json("org", "disable", organizationId)).toEqual({
      organizationId,
      status: "Disabled",
    });
    expect(await json("org", "customer-managed", organizationId, "on")).toEqual({
      organizationId,
      customerManaged: true,
    });
  });

  test("links, secrets and keys can be had as JSON", async () => {
    const { organizationId } = await json("org", "create", "Links");
    const invited = await json("people", "invite", organizationId, "ada@example.com");
    expect(invited).toEqual({ url: expect.stringMatching(/^http/) });
    const [rotated] = await json("credentials", "rotate", organizationId);
    expect(rotated).toEqual({ clientId: expect.any(String), clientSecret: expect.any(String) });
    expect(await json("keys", "rotate")).toMatchObject({ signingKeyId: expect.any(String) });
  });

  test("money that was put into a wallet, or was not, can be had as JSON", async () => {
    const { organizationId } = await json("org", "create", "Wallets");
    const credit = ["wallet", "credit", organizationId, "USD", "25.50", "--reference", "r1"];
    const credited = { reference: "r1", currency: "USD", amount: 25.5, balance: 25.5 };
    expect(await json(...credit)).toMatchObject({ ...credited, isNew: true });
    expect(await json(...credit)).toMatchObject({ ...credited, isNew: false });
    const debit = ["wallet", "debit", organizationId, "USD", "26", "--reference", "r2", "--json"];
    const { code, stdout } = await run(...debit);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      responseCode: "116",
      finality: "TerminalFailure",
    });
  });

  test.each([
    [["org", "list", "--profile", "x"], "--profile here: this command takes --json"],
    [["--profile", "x", "org", "list"], "--profile here: this command takes --json"],
    [["--json", "migrate"], "--json here: this command takes no options"],
    [["acquirer", "--json"], "--json here: this command takes --host, --port"],
  ])("an option that does not exist is one line of ours: %j", async (args, words) => {
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(new RegExp(`^There is no option ${words}.*\\.\n$`));
  });

  test("help tells of what they take, and of nothing else", async () => {
    const group = await run("org", "--help");
    expect(group.stdout).toContain("customer-managed");
    expect(group.stdout).not.toMatch(/--json|--profile/);
    expect((await run("migrate", "--help")).stdout).toMatch(/^Usage: florin migrate \[options\]\n/);
    expect((await run("org", "list", "--help")).stdout).toMatch(
      /^Usage: florin org list \[--json\]\n/,
    );
  });

  test("a folder is no clearing file", async () => {
    const { code, stdout, stderr } = await run("clearing", "import", service.dataDir);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: "",
      stderr: `${service.dataDir} is a folder: name a clearing file.\n`,
    });
  });
});

test("start runs the service, and ends when it has stopped", async () => {
  const environment = {
    ...service.environment,
    FLORIN_DATA_DIR: newDataDir(),
    FLORIN_LOG_LEVEL: "error",
  };
  const program = launchCommand(["start"], environment);
  await untilReady(program, environment);
  program.kill("SIGTERM");
  expect(await program.exited).toEqual({ code: 0, signal: null });
  expect(program.stdout).toContain("Florin is running (sandbox).");
});
