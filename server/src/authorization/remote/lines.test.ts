import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { afterEach, expect, test } from "vitest";
import type { Outcome } from "../../outbound/outcome.ts";
import { Signer } from "../../outbound/signer.ts";
import type { Arrangement } from "../settings/settings-book.ts";
import { Lines, type LinesOptions } from "./lines.ts";
import type { RemoteMessage } from "./message.ts";

/** Patient, so that a busy machine does not look like a slow partner. */
const times = { answerMs: 10_000, lateMs: 10_000, connectionMs: 10_000 };
const signer = new Signer(`whsec_${Buffer.alloc(32).toString("base64")}`);
const message = { requestId: "req_1" } as RemoteMessage;

const closes: (() => void)[] = [];
afterEach(() => {
  for (const close of closes.splice(0)) close();
});

function openLines(options: Partial<LinesOptions> = {}): Lines {
  const lines = new Lines({ reach: "PrivateToo", times, ...options });
  closes.push(() => lines.close());
  return lines;
}

const settings = (url: string, revision: bigint): NonNullable<Arrangement["managed"]> => ({
  recipient: { url, signer },
  defaultDecision: "AutoDecline",
  revision,
});

async function portOf(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** Answers with its name. */
async function partner(name: string): Promise<string> {
  const server = createServer((_request, response) => response.end(name));
  const port = await portOf(server);
  closes.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${port}/`;
}

/** Takes connections, and never shakes hands. */
async function deafPartner(): Promise<string> {
  const server = createTcpServer((socket) => closes.push(() => socket.destroy()));
  const port = await portOf(server);
  closes.push(() => server.close());
  return `https://127.0.0.1:${port}/`;
}

const textOf = (outcome: Outcome): string =>
  outcome.isAnswer ? outcome.body.toString() : outcome.reason;

test("a question that waits for a connection when the settings change is asked at the new address", async () => {
  const lines = openLines();
  const [deaf, next] = [await deafPartner(), await partner("next")];
  const waiting = lines.ask("org_1", settings(deaf, 1n), message);
  const after = lines.ask("org_1", settings(next, 2n), message);
  expect(textOf(await after)).toBe("next");
  expect(textOf(await waiting)).toBe("next");
});

test("what began under older settings is asked at the new address, and leaves its line in use", async () => {
  const lines = openLines();
  const [before, next] = [await partner("before"), await partner("next")];
  expect(textOf(await lines.ask("org_1", settings(before, 1n), message))).toBe("before");
  expect(textOf(await lines.ask("org_1", settings(next, 2n), message))).toBe("next");
  expect(textOf(await lines.ask("org_1", settings(before, 1n), message))).toBe("next");
  expect(textOf(await lines.ask("org_2", settings(before, 1n), message))).toBe("before");
});

test("a question that waits when all lines are closed is not asked any more", async () => {
  const lines = openLines();
  const waiting = lines.ask("org_1", settings(await deafPartner(), 1n), message);
  lines.close();
  expect(textOf(await waiting)).toBe("Stopped");
});

test.each([
  ["this machine", "https://127.0.0.1:PORT/", "8.8.8.8"],
  ["a name of this machine", "https://a.example:PORT/", "127.0.0.1"],
  ["an address that is not encrypted", "http://a.example:PORT/", "8.8.8.8"],
])("in production nobody is asked at %s", async (_what, url, address) => {
  let connections = 0;
  const server = createTcpServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  const port = await portOf(server);
  closes.push(() => server.close());
  const lines = openLines({
    reach: "PublicOnly",
    times: { answerMs: 1_000, lateMs: 1_000, connectionMs: 1_000 },
    resolve: async () => [{ address, family: 4 }],
  });
  const asked = settings(url.replace("PORT", String(port)), 1n);
  expect(textOf(await lines.ask("org_1", asked, message))).toBe("RefusedAddress");
  expect(connections).toBe(0);
});
