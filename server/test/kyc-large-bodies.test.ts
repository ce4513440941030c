import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectRefusal, fieldsOf, verdict } from "./harness/answers.ts";
import { type ApiClient, newReference } from "./harness/api-client.ts";
import { eventually } from "./harness/eventually.ts";
import { bvn, lagos, passport, verifyBusiness, verifyIndividual } from "./harness/kyc.ts";
import { foundOrganization, openOperator } from "./harness/operator.ts";
import { parseAnswer } from "./harness/raw-http.ts";
import { pngChunk, samplePng } from "./harness/sample-images.ts";
import { startTestService, type TestService } from "./harness/service.ts";

const MIB = 1024 * 1024;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ FLORIN_SANDBOX_KYC_DELAY_MS: "86400000" });
});
afterAll(() => service.stop());

/** A picture of any size in bytes: the filling is in a chunk that no viewer looks at. */
function largePng(bytes: number): string {
  const png = samplePng();
  const filling = pngChunk("tEXt", Buffer.alloc(bytes - png.length - 12, 7));
  const header = 8 + 25;
  return Buffer.concat([png.subarray(0, header), filling, png.subarray(header)]).toString("base64");
}

test("an image of nearly 7.5 MiB is taken, one beyond it is not", async () => {
  const largest = await verifyIndividual(
    service.client,
    passport({ idFrontImage: largePng(7.5 * MIB - 32 * 1024) }),
  );
  expect(verdict(largest)).toBe("200/000");
  const tooLarge = await verifyIndividual(
    service.client,
    passport({ idFrontImage: largePng(7.5 * MIB + 1) }),
  );
  expectRefusal(tooLarge, "400/131");
});

test("a body over 10 MiB is 400/131, on KYC; elsewhere 256 KiB is the end", async () => {
  const { client } = service;
  const body = { ...bvn(), padding: "x".repeat(10 * MIB) };
  for (const path of ["/kyc/individual", "/kyc/business"]) {
    const answer = await client.post(path, body);
    expectRefusal(answer, "400/131");
    expect(fieldsOf(answer)).toEqual(["body"]);
  }
  const deposit = { currency: "USD", amount: 1, padding: "x".repeat(300 * 1024) };
  const elsewhere = await client.post("/simulator/wallets/deposits", deposit);
  expectRefusal(elsewhere, "400/131");
  expect(fieldsOf(elsewhere)).toEqual(["body"]);
  const simulator = await client.post("/simulator/kyc/kyc_x", deposit);
  expectRefusal(simulator, "400/131");
  expect(fieldsOf(simulator)).toEqual(["body"]);
});

test("10 MiB are taken on KYC, to the byte", async () => {
  const padded = (bytes: number) =>
    service.client.post("/kyc/individual", JSON.stringify(bvn()).padEnd(bytes, " "));
  expect(verdict(await padded(10 * MIB))).toBe("200/000");
  expectRefusal(await padded(10 * MIB + 1), "400/131");
});

/** As some clients do: reads nothing until everything is sent, and gives up when that is not taken. */
async function sendThenRead(
  client: ApiClient,
  path: string,
  body: Buffer,
  { chunked = false, pauseMs = 0 }: { chunked?: boolean; pauseMs?: number } = {},
) {
  const { apiUrl } = client.sandbox;
  const target = `/api/v1${path}`;
  const headers = await client.headers("POST", apiUrl + target, { body });
  const length = chunked ? { "Transfer-Encoding": "chunked" } : { "Content-Length": body.length };
  const lines = Object.entries({ ...headers, Host: "127.0.0.1", Connection: "close", ...length });
  const head = lines.map(([name, value]) => `${name}: ${value}`).join("\r\n");
  const socket = connect({ host: "127.0.0.1", port: Number(new URL(apiUrl).port) });
  socket.pause();
  const half = body.length / 2;
  const failed = new Promise<never>((_resolve, reject) => socket.on("error", reject));
  const sent = async (): Promise<void> => {
    socket.write(`POST ${target} HTTP/1.1\r\n${head}\r\n\r\n`);
    if (chunked) socket.write(`${body.length.toString(16)}\r\n`);
    socket.write(body.subarray(0, half));
    if (pauseMs > 0) await pause(pauseMs);
    socket.write(body.subarray(half));
    await new Promise<void>((resolve) => {
      socket.write(chunked ? "\r\n0\r\n\r\n" : "", () => resolve());
    });
  };
  await Promise.race([sent(), failed]);
  failed.catch(() => undefined);
  const received: Buffer[] = [];
  for await (const chunk of socket) received.push(chunk as Buffer);
  return parseAnswer(Buffer.concat(received));
}

test.each([
  ["/kyc/individual", false],
  ["/kyc/individual", true],
  ["/cards/retail", false],
  ["/cards/retail", true],
])(
  "who sends all of a body that is too large hears so (%s, chunked: %s)",
  async (path, chunked) => {
    for (const bytes of [10 * MIB + 1, 11_000_000, 20 * MIB]) {
      const body = Buffer.alloc(bytes, "x");
      const answer = await sendThenRead(service.client, path, body, { chunked });
      expect(answer && verdict(answer)).toBe("400/131");
    }
  },
);

test("a line that stalls for a while does not lose the answer", async () => {
  const body = Buffer.alloc(11_000_000, "x");
  const answer = await sendThenRead(service.client, "/cards/retail", body, { pauseMs: 900 });
  expect(answer && verdict(answer)).toBe("400/131");
});

test.each<[string, () => string]>([
  [
    "a million members",
    () => `{${Array.from({ length: 900_000 }, (_, n) => `"${n}":0`).join(",")}}`,
  ],
  ["a million empty objects", () => `[${"{},".repeat(3_000_000)}{}]`],
  ["ten million zeros", () => `[${"0,".repeat(5_000_000)}0]`],
  ["brackets", () => "[".repeat(10 * MIB)],
  ["backslashes", () => `{"a":"${"\\".repeat(10 * MIB - 100)}`],
  ["a number without end", () => "9".repeat(10 * MIB)],
  ["white space", () => " ".repeat(10 * MIB)],
])("10 MiB of %s are refused with a small answer", async (_name, write) => {
  const answer = await verifyBusiness(service.client, write());
  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer.body).length).toBeLessThan(20_000);
});

test("many unknown fields are not all told", async () => {
  const fields = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`field${n}`, 0]));
  const answer = await verifyIndividual(service.client, { ...bvn(), ...fields });
  expectRefusal(answer, "400/131");
  expect(fieldsOf(answer)).toHaveLength(100);
});

test("twenty documents at once all get through", async () => {
  const idFrontImage = largePng(MIB);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => verifyIndividual(service.client, passport({ idFrontImage }))),
  );
  expect(answers.map(verdict)).toEqual(Array(20).fill("200/000"));
});

/** Begins to send a large body, no faster than must be, and the rest when told. */
async function trickle(
  client: ApiClient,
  person = passport({ idFrontImage: largePng(MIB) }),
): Promise<{ socket: Socket; finish(): Promise<string> }> {
  const { apiUrl } = client.sandbox;
  const target = "/api/v1/kyc/individual";
  const body = JSON.stringify(person);
  const headers = await client.headers("POST", apiUrl + target, { body });
  const { hostname, port } = new URL(apiUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  const received: Buffer[] = [];
  socket.on("data", (chunk) => received.push(chunk));
  socket.on("error", () => undefined);
  const lines = Object.entries({ ...headers, Host: hostname, "Content-Length": body.length });
  const head = lines.map(([name, value]) => `${name}: ${value}`).join("\r\n");
  socket.write(`POST ${target} HTTP/1.1\r\n${head}\r\nConnection: close\r\n\r\n`);
  let sent = 0;
  const send = (bytes: number): void => {
    socket.write(body.slice(sent, sent + bytes));
    sent += bytes;
  };
  send(1_000);
  const slowly = setInterval(() => send(32 * 1024), 500);
  socket.once("close", () => clearInterval(slowly));
  const finish = async (): Promise<string> => {
    clearInterval(slowly);
    send(body.length);
    return eventually("there is an answer", () => {
      const answer = parseAnswer(Buffer.concat(received));
      return answer && verdict(answer);
    });
  };
  return { socket, finish };
}

test("a number is looked up however long its body took to come", async () => {
  const slow = await trickle(service.client, bvn({ idFrontImage: largePng(MIB) }));
  // As long as a register may take.
  await pause(10_000);
  expect(await slow.finish()).toBe("200/000");
});

test("who sends slowly holds up neither small requests nor other organizations", async () => {
  const operator = await openOperator(service);
  const other = await foundOrganization(operator, service);
  await operator.close();
  const slow = [];
  for (let n = 0; n < 6; n++) slow.push(await trickle(service.client));
  await pause(200);
  expect(verdict(await verifyIndividual(service.client, bvn()))).toBe("200/000");
  const document = passport({ idFrontImage: largePng(MIB) });
  expect(verdict(await verifyIndividual(other.client, document))).toBe("200/000");
  // Two of them hang up, one inside and one that waits; the others are served in their turn.
  slow.shift()?.socket.destroy();
  slow.pop()?.socket.destroy();
  expect(await Promise.all(slow.map(({ finish }) => finish()))).toEqual(Array(4).fill("200/000"));
  for (const { socket } of slow) socket.destroy();
});

/** Sends a body of unknown length, a byte now and then. */
async function drip(client: ApiClient): Promise<{ verdict(): string | undefined; stop(): void }> {
  const { apiUrl } = client.sandbox;
  const target = "/api/v1/kyc/individual";
  const headers = await client.headers("POST", apiUrl + target, {});
  const { hostname, port } = new URL(apiUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  const received: Buffer[] = [];
  socket.on("data", (chunk) => received.push(chunk));
  socket.on("error", () => undefined);
  const lines = Object.entries({ ...headers, Host: hostname, "Transfer-Encoding": "chunked" });
  const head = lines.map(([name, value]) => `${name}: ${value}`).join("\r\n");
  socket.write(`POST ${target} HTTP/1.1\r\n${head}\r\nContent-Type: application/json\r\n\r\n`);
  const drips = setInterval(() => socket.write("1\r\n \r\n"), 100);
  const stop = (): void => {
    clearInterval(drips);
    socket.destroy();
  };
  const answered = (): string | undefined => {
    const answer = parseAnswer(Buffer.concat(received));
    return answer && verdict(answer);
  };
  return { verdict: answered, stop };
}

test("who sends next to nothing loses the place to others, however many such requests wait", async () => {
  const operator = await openOperator(service);
  const [one, two] = [
    await foundOrganization(operator, service),
    await foundOrganization(operator, service),
  ];
  await operator.close();
  const drips = await Promise.all(
    [one, two].flatMap(({ client }) => Array.from({ length: 12 }, () => drip(client))),
  );
  await pause(200);
  const document = passport({ idFrontImage: largePng(MIB) });
  expect(verdict(await verifyIndividual(service.client, document))).toBe("200/000");
  const verdicts = drips.map((each) => each.verdict()).filter((each) => each !== undefined);
  for (const { stop } of drips) stop();
  expect(new Set(verdicts)).toEqual(new Set(["503/150"]));
});

test("what is too large takes nobody's place while it is thrown away", async () => {
  const { client } = service;
  const target = "/api/v1/kyc/individual";
  const drips: NodeJS.Timeout[] = [];
  const sockets: Socket[] = [];
  for (let n = 0; n < 4; n++) {
    const headers = await client.headers("POST", client.sandbox.apiUrl + target, {});
    const lines = Object.entries({ ...headers, Host: "127.0.0.1", "Content-Length": 11 * MIB });
    const head = lines.map(([name, value]) => `${name}: ${value}`).join("\r\n");
    const { port } = new URL(client.sandbox.apiUrl);
    const socket = connect({ host: "127.0.0.1", port: Number(port) });
    socket.on("error", () => undefined);
    socket.write(`POST ${target} HTTP/1.1\r\n${head}\r\n\r\n`);
    drips.push(setInterval(() => socket.write("x"), 100));
    sockets.push(socket);
  }
  await pause(400);
  const document = passport({ idFrontImage: largePng(MIB) });
  expect(verdict(await verifyIndividual(client, document))).toBe("200/000");
  for (const drip of drips) clearInterval(drip);
  for (const socket of sockets) socket.destroy();
});

test("when very many wait already, the next is told to come back", async () => {
  const slow = await Promise.all(Array.from({ length: 66 }, () => trickle(service.client)));
  const document = passport({ idFrontImage: largePng(MIB) });
  const answer = await eventually("the queue is full", async () => {
    const attempt = await verifyIndividual(service.client, document, {
      signal: AbortSignal.timeout(500),
    });
    return attempt.status === 200 ? undefined : attempt;
  });
  for (const { socket } of slow) socket.destroy();
  expectRefusal(answer, "503/150");
  expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
  await eventually("there is room again", async () => {
    const { status } = await verifyIndividual(service.client, document);
    return status === 200 || undefined;
  });
});

test.each([
  ["an e-mail address", bvn({ email: "a.".repeat(4 * MIB) })],
  ["an e-mail address without dots", bvn({ email: `${"a".repeat(9 * MIB)}@` })],
  ["a telephone number", bvn({ phoneNumber: "1 ".repeat(4 * MIB) })],
  ["a name", bvn({ firstName: "é".repeat(4 * MIB) })],
  ["a country", bvn({ address: { ...lagos, country: "Nigeria ".repeat(MIB) } })],
  ["an identity number", passport({ idNumber: "1".repeat(9 * MIB) })],
  ["a date", bvn({ dateOfBirth: "1".repeat(9 * MIB) })],
  ["an image", passport({ idFrontImage: "=".repeat(9 * MIB) })],
])("megabytes of %s are refused with a small answer", async (_name, body) => {
  const answer = await verifyIndividual(service.client, body);
  expectRefusal(answer, "400/131");
  expect(JSON.stringify(answer.body).length).toBeLessThan(2_000);
});

test("a used-up Reference is told before anything that is wrong with a body", async () => {
  const reference = newReference();
  await verifyIndividual(service.client, bvn(), { reference });
  const answer = await verifyIndividual(service.client, passport({ idFrontImage: "?" }), {
    reference,
  });
  expectRefusal(answer, "400/139");
});
