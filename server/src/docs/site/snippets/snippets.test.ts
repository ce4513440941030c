import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verifySignature } from "../../../http/signature.ts";
import { snippetsFor } from "./snippets.ts";

const client = { clientId: "cli_1", clientSecret: "s3cr3t/+&=%'\"$x", uniqueKey: "k3y'$(id)" };
const directory = mkdtempSync(join(tmpdir(), "florin-snippets-"));
const accepted: unknown[] = [];
let server: Server;
let url = "";

/** Stands for both servers: a token for the right client, and an echo for a call that is signed well. */
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const body = await textOf(request);
    const isToken = request.url === "/connect/token";
    const answer = isToken ? grant(request, body) : echo(request, body);
    response.writeHead(answer === undefined ? 401 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? { refused: true }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
  rmSync(directory, { recursive: true });
});

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");

function grant({ headers }: IncomingMessage, body: string): object | undefined {
  const isClient =
    headers.authorization === `Basic ${base64(`${client.clientId}:${client.clientSecret}`)}` &&
    headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true &&
    body === "grant_type=client_credentials";
  return isClient ? { access_token: "t0k3n", token_type: "Bearer", expires_in: 60 } : undefined;
}

function echo(request: IncomingMessage, body: string): object | undefined {
  const { authorization, serviceauthorization, uniquekey, reference, signature } = request.headers;
  const isAuthentic =
    authorization === "Bearer t0k3n" &&
    serviceauthorization === `ServiceAuth ${base64(client.clientId)}` &&
    uniquekey === client.uniqueKey &&
    verifySignature(String(signature), {
      method: request.method ?? "",
      url: `${url}${request.url}`,
      reference: String(reference),
      ...client,
    });
  if (!isAuthentic) return undefined;
  accepted.push([
    request.method,
    decodeURIComponent(request.url ?? ""),
    body === "" ? undefined : JSON.parse(body),
  ]);
  return { accepted: true };
}

const calls = [
  { method: "GET", target: "/api/v1/cards?name=O'Brien%20(Jr.)&from=2026-01-31T12:00:00.000Z" },
  {
    method: "POST",
    target: "/api/v1/cards/card_1/top-up",
    body: {
      note: 'it\'s "50%" $HOME\\ `x`\n€',
      ok: true,
      off: false,
      none: null,
      list: [1.5, []],
      map: {},
    },
  },
];

const interpreters: Record<string, { command: string; file: string }> = {
  bash: { command: "bash", file: "snippet.sh" },
  javascript: { command: process.execPath, file: "snippet.mjs" },
  python: { command: "python3", file: "snippet.py" },
};

for (const [language, { command, file }] of Object.entries(interpreters)) {
  const isHere = [command, ...(language === "bash" ? ["curl", "openssl"] : [])].every(
    (tool) => spawnSync(tool, [tool === "openssl" ? "version" : "--version"]).status === 0,
  );
  test.skipIf(!isHere).each(calls)(`${language} runs as shown: $method $target`, async (call) => {
    const found = snippetsFor({ apiUrl: url, identityUrl: url, ...call });
    const path = join(directory, file);
    writeFileSync(path, found.find((snippet) => snippet.language === language)?.code ?? "");
    const env = {
      ...process.env,
      CLIENT_ID: client.clientId,
      CLIENT_SECRET: client.clientSecret,
      UNIQUE_KEY: client.uniqueKey,
      // Colours and wrapping of the console are not what is tested.
      FORCE_COLOR: "0",
    };
    const printed = await promisify(execFile)(command, [path], { env });
    expect(printed.stdout).toContain("accepted");
    expect(printed.stdout).not.toContain("refused");
    expect(accepted.at(-1)).toEqual([call.method, decodeURIComponent(call.target), call.body]);
  });
}
