import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiClient, newReference } from "./harness/api-client.ts";
import { type Block, readGuides } from "./harness/guides/blocks.ts";
import { isLanguage, missingProgram, signWith } from "./harness/guides/languages.ts";
import { fill, readRequests } from "./harness/guides/requests.ts";
import { bvn, passport, verifyIndividual } from "./harness/kyc.ts";
import {
  cleanUp,
  florin,
  freePort,
  newDataDir,
  projectRoot,
  quietEnvironment,
  type ServiceProcess,
  start,
  startServiceProcess,
} from "./harness/process.ts";

const COMMAND_MS = 120_000;
/** What a reader sees but nobody can run: formulas, messages of others, settings, files. */
const SHOWN = ["", "text"];
/** A function of this name is tried against the service. */
const SIGNATURE = /\b(?:function|def|func|[Ss]tring) [Ss]ign\(/;
/** The service of these tests is the first; these tests are the second. */
const RUN_ANYWAY = ["npm start", "npm test"];

const guides = readGuides();
const folder = mkdtempSync(join(tmpdir(), "florin-guides-"));
let service: ServiceProcess;
let client: ApiClient;
let environment: Record<string, string>;
let ids: Record<string, string>;

beforeAll(async () => {
  environment = quietEnvironment(newDataDir());
  service = await startServiceProcess(environment);
  client = service.client;
  standIn(environment.FLORIN_DATA_DIR ?? "");
  ids = await makeThings();
}, COMMAND_MS);
afterAll(async () => {
  await cleanUp();
  rmSync(folder, { recursive: true, force: true });
});

/** Looks like the project's folder, with the data of the service of these tests. */
function standIn(dataDir: string): void {
  for (const name of readdirSync(projectRoot)) {
    if (name !== ".florin") symlinkSync(join(projectRoot, name), join(folder, name));
  }
  symlinkSync(dataDir, join(folder, ".florin"));
}

/** One of each thing that guides talk about. */
async function makeThings(): Promise<Record<string, string>> {
  const { customerId } = (await verifyIndividual(client, bvn())).body.data;
  const card = { customerId, initialBalance: 1_000 };
  const { cardId } = (await client.post("/cards/retail", card)).body.data;
  const reference = newReference();
  const purchase = { cardId, amount: 10 };
  await client.post("/simulator/authorizations", purchase, { reference });
  const { stdout } = await florin(["org", "list"], environment);
  const organizationId = /org_\w+/.exec(stdout)?.[0] ?? "";
  await florin(["org", "customer-managed", organizationId, "on"], environment);
  return {
    customerId,
    cardId,
    reference,
    organizationId,
  };
}

/** What does not stay as it is: a verification that is not decided yet, a purchase that is not settled. */
async function makePassing(text: string): Promise<void> {
  if (text.includes("{kycToken}")) {
    ids.kycToken = (await verifyIndividual(client, passport())).body.data.kycToken;
  }
  if (text.includes("{webhookEndpointId}")) {
    const { body } = await client.post("/webhook-endpoints", { url: "https://hooks.example.com/" });
    ids.webhookEndpointId = body.data.webhookEndpointId;
  }
  if (/txn_…|\{transactionId\}/.test(text)) {
    const purchase = { cardId: ids.cardId, amount: 10 };
    const { body } = await client.post("/simulator/authorizations", purchase);
    ids.transactionId = body.data.transactionId;
  }
}

for (const { file, blocks } of guides) {
  describe.skipIf(blocks.length === 0)(file, () => {
    afterAll(restore);
    for (const block of blocks) tryOut(block);
  });
}

/** A guide must not depend on what the one before it has set. */
async function restore(): Promise<void> {
  // A guide that moves the clock ends the life of every token.
  client = new ApiClient(service.sandbox);
  await client.call("PUT", "/settings/card-authorization", { body: { model: "ServiceManaged" } });
  const { body } = await client.get("/webhook-endpoints");
  for (const { webhookEndpointId } of body.data) {
    await client.call("DELETE", `/webhook-endpoints/${webhookEndpointId}`);
  }
}

function tryOut(block: Block): void {
  const { at, language, text } = block;
  if (SHOWN.includes(language)) return;
  if (language === "sh") {
    test.skipIf(RUN_ANYWAY.includes(text))(`${at} runs`, () => runCommands(text), COMMAND_MS);
  } else if (language === "http") test(`${at} is answered with success`, () => send(text));
  else if (["json", "jsonl", "yaml"].includes(language))
    test(`${at} can be read`, () => read(block));
  else if (isLanguage(language) && SIGNATURE.test(text)) trySignature(block);
  else if (language === "js") test(`${at} runs`, () => runProgram(text), COMMAND_MS);
  else test(`${at} says what it is`, () => expect.unreachable(`Nobody can run ${language}.`));
}

/** A whole program, which finds the sandbox by itself. */
async function runProgram(text: string): Promise<void> {
  const file = join(folder, "program.mjs");
  writeFileSync(file, text);
  const program = start(process.execPath, [file], {
    ...environment,
    FLORIN_WEBHOOK_SECRET: service.sandbox.webhookSecret,
    PORT: String(await freePort()),
  });
  const { code } = await program.exited;
  expect(code, `${program.stdout}\n${program.stderr}`).toBe(0);
}

async function runCommands(text: string): Promise<void> {
  const { sandbox } = service;
  await makePassing(text);
  const script = fill(text, ids)
    .replaceAll("http://127.0.0.1:4000", sandbox.apiUrl)
    .replaceAll("http://127.0.0.1:4001", sandbox.identityUrl);
  const program = start("bash", ["-euo", "pipefail", "-c", `cd '${folder}'\n${script}`], {
    ...environment,
    CLIENT_ID: sandbox.clientId,
    CLIENT_SECRET: sandbox.clientSecret,
    UNIQUE_KEY: sandbox.uniqueKey,
  });
  const { code } = await program.exited;
  expect(code, `${program.stdout}\n${program.stderr}`).toBe(0);
  // curl is content with any answer; the reader would not be.
  expect(program.stdout).not.toMatch(/"finality": ?"(TerminalFailure|Indeterminate)"/);
}

async function send(text: string): Promise<void> {
  const requests = readRequests(text);
  await makePassing(text);
  expect(requests.length).toBeGreaterThan(0);
  for (const { method, path, body } of requests) {
    const options = body === undefined ? {} : { body: JSON.parse(fill(body, ids)) };
    const answer = await client.call(method, fill(path, ids), options);
    expect(answer.body, path).toMatchObject({ responseCode: "000" });
  }
}

function read({ language, text }: Block): void {
  if (language === "json") expect(() => JSON.parse(text)).not.toThrow();
  if (language === "jsonl") {
    for (const line of text.split("\n")) expect(() => JSON.parse(line)).not.toThrow();
  }
}

/** The guide's function signs a real call, which the service takes. */
function trySignature({ at, language, text }: Block): void {
  const missing = missingProgram(language);
  const title = `${at} signs as the service expects`;
  if (missing !== undefined) {
    test.skip(`${title} (not run: there is no ${missing} here)`);
    return;
  }
  test(
    title,
    async () => {
      const { sandbox } = service;
      const path = "/transactions?type=Authorization&limit=5";
      const reference = newReference();
      const signature = signWith(
        language,
        text,
        [
          "GET",
          `${sandbox.apiUrl}/api/v1${path}`,
          reference,
          sandbox.clientId,
          sandbox.clientSecret,
        ],
        join(folder, `.sign-${language}`),
      );
      const answer = await client.get(path, { reference, headers: { Signature: signature } });
      expect(answer.body).toMatchObject({ responseCode: "000" });
    },
    COMMAND_MS,
  );
}

test("every guide is read, and every language of the signature is there", () => {
  expect(guides.length).toBeGreaterThan(10);
  const authentication = guides.find(({ file }) => file.endsWith("authentication.md"));
  const languages = authentication?.blocks.map(({ language }) => language);
  expect(languages).toEqual(
    expect.arrayContaining(["sh", "js", "python", "php", "java", "csharp", "go"]),
  );
});

test("what the README leaves to these tests is what npm would run", () => {
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8"));
  for (const command of RUN_ANYWAY) expect(scripts).toHaveProperty(command.replace("npm ", ""));
});
