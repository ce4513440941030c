import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import { hasOpenssl, makeCertificate } from "../../../test/harness/certificates.ts";
import { guardedConnector } from "../../outbound/connect.ts";
import type { Outcome } from "../../outbound/outcome.ts";
import { Line, type LineTimes, TIMES } from "./line.ts";

const lines: Line[] = [];
const closes: (() => void)[] = [];

afterEach(() => {
  for (const line of lines.splice(0)) line.close();
  for (const close of closes.splice(0)) close();
});

const connector = (ca?: string) =>
  guardedConnector({
    reach: "PrivateToo",
    resolve: async () => [{ address: "127.0.0.1", family: 4 }],
    connectTimeoutMs: 3_000,
    ca,
  });

/** Patient, so that a busy machine does not look like a slow partner. */
const PATIENT: LineTimes = { answerMs: 10_000, lateMs: 10_000, connectionMs: 10_000 };
const HASTY: LineTimes = { answerMs: 50, lateMs: 300, connectionMs: 50 };

function lineTo(url: string, times = PATIENT, ca?: string): Line {
  const line = new Line(new URL(url), connector(ca), times);
  lines.push(line);
  return line;
}

const send = (line: Line, body = "{}"): Promise<Outcome> =>
  line.send({ headers: { "content-type": "application/json" }, body });

const textOf = (outcome: Outcome): string =>
  outcome.isAnswer ? outcome.body.toString() : `${outcome.reason}: ${outcome.message}`;

/** A receiver that counts its connections. */
async function receiver(answer: RequestListener) {
  const sockets = new Set<Socket>();
  let connections = 0;
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    answer(request, response);
  });
  server.on("connection", (socket) => {
    connections += 1;
    sockets.add(socket);
  });
  await listening(server);
  return {
    url: `http://127.0.0.1:${portOf(server)}/ask?x=1`,
    get connections() {
      return connections;
    },
    get requests() {
      return requests;
    },
    hangUp: () => {
      for (const socket of sockets) socket.destroy();
    },
    server,
  };
}

async function listening(server: Server | ReturnType<typeof createTcpServer>): Promise<void> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closes.push(() => {
    if ("closeAllConnections" in server) server.closeAllConnections();
    server.close();
  });
}

const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;

test("an answer has 400 ms; a late one is read for 2 s", () => {
  expect(TIMES).toMatchObject({ answerMs: 400, lateMs: 2_000 });
});

test("questions one after another share a connection", async () => {
  const partner = await receiver((request, response) =>
    response.end(`${request.method} ${request.url}`),
  );
  const line = lineTo(partner.url);
  for (let n = 0; n < 10; n++) expect(textOf(await send(line))).toBe("POST /ask?x=1");
  // Two are kept open, whether they are needed or not.
  expect(partner.connections).toBeLessThanOrEqual(2);
});

test("many at once wait for the few connections that there may be, and all are answered", async () => {
  let atOnce = 0;
  let most = 0;
  const partner = await receiver(async (_request, response) => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await pause(5);
    atOnce -= 1;
    response.end("ok");
  });
  const line = lineTo(partner.url);
  const outcomes = await Promise.all(Array.from({ length: 300 }, () => send(line)));
  expect(outcomes.map(textOf)).toEqual(outcomes.map(() => "ok"));
  expect(most).toBeLessThanOrEqual(64);
  expect(partner.connections).toBeLessThanOrEqual(64);
});

test("connections are opened before they are needed", async () => {
  const partner = await receiver((_request, response) => response.end("ok"));
  const line = lineTo(partner.url);
  line.warm();
  await expect.poll(() => partner.connections).toBe(2);
  expect(textOf(await send(line))).toBe("ok");
  expect(partner.connections).toBe(2);
});

test("a connection that was closed while it rested costs nobody an answer", async () => {
  const partner = await receiver((_request, response) => response.end("ok"));
  const line = lineTo(partner.url);
  for (let n = 0; n < 5; n++) {
    expect(textOf(await send(line))).toBe("ok");
    partner.hangUp();
  }
});

test("the time of a question counts from when it was first sent", async () => {
  const partner = await receiver(async (request, response) => {
    if (partner.requests === 1) {
      response.end("ok");
      return;
    }
    await pause(300);
    // Together, these are too long.
    if (partner.requests === 2) request.socket.destroy();
    else response.end("too late");
  });
  const line = lineTo(partner.url, { ...PATIENT, answerMs: 500, lateMs: 500 });
  expect(textOf(await send(line))).toBe("ok");
  const outcome = await send(line);
  expect(textOf(outcome)).toMatch(/^Timeout/);
  expect(partner.requests).toBe(3);
  expect(outcome.durationMs).toBeGreaterThanOrEqual(500);
});

test("one that closes each connection without an answer is asked twice at most", async () => {
  const partner = await receiver((request) => request.socket.destroy());
  const line = lineTo(partner.url);
  expect(textOf(await send(line))).toMatch(/^ConnectionFailed/);
  expect(partner.requests).toBeLessThanOrEqual(2);
});

test("at the deadline there is an outcome, and later the answer", async () => {
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const partner = await receiver(async (_request, response) => {
    await gate;
    response.end("late");
  });
  const outcome = await send(lineTo(partner.url, { ...PATIENT, answerMs: 50 }));
  expect(outcome).toMatchObject({ isAnswer: false, reason: "Timeout" });
  if (outcome.isAnswer || outcome.late === undefined) throw new Error("Nobody waits for it.");
  open();
  expect(textOf(await outcome.late)).toBe("late");
});

test("of many that are late, 32 are waited for", async () => {
  const partner = await receiver(() => undefined);
  const line = lineTo(partner.url, { ...PATIENT, answerMs: 50 });
  const outcomes = await Promise.all(Array.from({ length: 40 }, () => send(line)));
  const awaited = outcomes.filter((outcome) => !outcome.isAnswer && outcome.late !== undefined);
  expect(awaited).toHaveLength(32);
});

test("when late answers have been waited for, there is time for others", async () => {
  const partner = await receiver(() => undefined);
  const line = lineTo(partner.url, { ...PATIENT, answerMs: 50, lateMs: 100 });
  const sendAndWait = async () => {
    const outcome = await send(line);
    const late = outcome.isAnswer ? undefined : outcome.late;
    await late;
    return late !== undefined;
  };
  await Promise.all(Array.from({ length: 40 }, sendAndWait));
  expect(await sendAndWait()).toBe(true);
});

test("no more than 2,000 wait for a connection", async () => {
  const partner = await receiver(() => undefined);
  const line = lineTo(partner.url, HASTY);
  const outcomes = await Promise.all(Array.from({ length: 2_001 }, () => send(line)));
  expect(outcomes.map(textOf).filter((text) => text.startsWith("Overloaded"))).toHaveLength(1);
});

test("who answers in drops is out of time, and is not waited for for ever", async () => {
  const partner = await receiver((request, response) => {
    const drops = setInterval(() => response.write("."), 50);
    request.socket.once("close", () => clearInterval(drops));
  });
  const outcome = await send(lineTo(partner.url, { ...HASTY, connectionMs: 10_000 }));
  if (outcome.isAnswer || outcome.late === undefined) throw new Error("Nobody waits for it.");
  expect(outcome.reason).toBe("Timeout");
  expect(await outcome.late).toMatchObject({ isAnswer: false, reason: "Timeout" });
});

test("where nobody listens that is said at once, and after some tries nobody is disturbed", async () => {
  const probe = createTcpServer();
  await listening(probe);
  const port = portOf(probe);
  await new Promise((resolve) => probe.close(resolve));
  const line = lineTo(`http://127.0.0.1:${port}/`);
  const outcomes: string[] = [];
  for (let n = 0; n < 8; n++) outcomes.push(textOf(await send(line)));
  expect(outcomes[0]).toMatch(/refused/);
  expect(outcomes.at(-1)).toMatch(/given a rest/);
});

test("while new connections fail, those that live go on answering", async () => {
  const partner = await receiver(async (_request, response) => {
    await pause(20);
    response.end("ok");
  });
  const line = lineTo(partner.url);
  expect(textOf(await send(line))).toBe("ok");
  await expect.poll(() => partner.connections).toBe(2);
  partner.server.close();
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => send(line)));
  expect(outcomes.map(textOf)).toEqual(outcomes.map(() => "ok"));
});

test("who accepts and says nothing is not waited for", async () => {
  const sockets: Socket[] = [];
  const mute = createTcpServer((socket) => sockets.push(socket));
  await listening(mute);
  closes.push(() => {
    for (const socket of sockets) socket.destroy();
  });
  const plain = await send(lineTo(`http://127.0.0.1:${portOf(mute)}/`, HASTY));
  expect(textOf(plain)).toMatch(/^Timeout/);
  const secure = await send(lineTo(`https://127.0.0.1:${portOf(mute)}/`, HASTY));
  expect(textOf(secure)).toBe("Timeout: No connection in time");
});

test("a line that is closed answers so", async () => {
  const partner = await receiver((_request, response) => response.end("ok"));
  const line = lineTo(partner.url);
  line.close();
  expect(textOf(await send(line))).toMatch(/^Stopped/);
});

test("what is under way when a line is closed is answered, and leaves no connection", async () => {
  let answer: () => void = () => undefined;
  const partner = await receiver((_request, response) => {
    answer = () => response.end("ok");
  });
  // So that it does not close them itself.
  partner.server.keepAliveTimeout = 0;
  const line = lineTo(partner.url);
  const asking = send(line);
  await expect.poll(() => partner.requests).toBe(1);
  line.close();
  answer();
  expect(textOf(await asking)).toBe("ok");
  const open = () => promisify(partner.server.getConnections.bind(partner.server))();
  await expect.poll(open).toBe(0);
});

describe.skipIf(!hasOpenssl)("secure connections (needs openssl)", () => {
  test("a cold line under load answers everybody, with few handshakes at a time", async () => {
    const { cert, key } = makeCertificate("a.example");
    let open = 0;
    let most = 0;
    const server = createTlsServer({ cert, key }, (_request, response) => response.end("ok"));
    server.on("connection", () => {
      open += 1;
      most = Math.max(most, open);
    });
    server.on("secureConnection", () => {
      open -= 1;
    });
    await listening(server);
    const url = `https://a.example:${portOf(server)}/`;
    const line = lineTo(url, PATIENT, cert.toString());
    const outcomes = await Promise.all(Array.from({ length: 200 }, () => send(line)));
    expect(outcomes.map(textOf)).toEqual(outcomes.map(() => "ok"));
    expect(most).toBeLessThanOrEqual(8);

    expect(textOf(await send(lineTo(url)))).toMatch(/^TlsFailed/);
  });
});
