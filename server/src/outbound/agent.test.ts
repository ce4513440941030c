import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server as TcpServer,
} from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { hasOpenssl, makeCertificate } from "../../test/harness/certificates.ts";
import { GuardedAgent, type GuardedAgentOptions, type PostOptions } from "./agent.ts";
import { guardedConnector } from "./connect.ts";
import type { Resolve } from "./names.ts";
import { type Outcome, RefusedAddress } from "./outcome.ts";

const agents: GuardedAgent[] = [];
const servers: (Server | TcpServer)[] = [];

afterEach(async () => {
  await Promise.all(agents.splice(0).map((agent) => agent.stop()));
  for (const server of servers.splice(0)) {
    if ("closeAllConnections" in server) server.closeAllConnections();
    server.close();
  }
});

function agentWith(options: Partial<GuardedAgentOptions> = {}): GuardedAgent {
  const agent = new GuardedAgent({ reach: "PrivateToo", connectionsPerPool: 8, ...options });
  agents.push(agent);
  return agent;
}

const post = (agent: GuardedAgent, url: string, change: Partial<PostOptions> = {}) =>
  agent.post(url, {
    headers: { "content-type": "application/json" },
    body: `{"a":1}`,
    timeoutMs: 10_000,
    maxResponseBytes: 1_000,
    pool: "one",
    ...change,
  });

async function listening<S extends Server | TcpServer>(server: S): Promise<S> {
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

const portOf = (server: Server | TcpServer): number => (server.address() as AddressInfo).port;
const urlOf = (server: Server | TcpServer, host = "127.0.0.1"): string =>
  `http://${host}:${portOf(server)}/hook?x=1`;

/** A receiver that notes its requests and connections. */
async function receiver(answer: RequestListener) {
  const requests: IncomingMessage[] = [];
  let connections = 0;
  const server = await listening(
    createServer((request, response) => {
      requests.push(request);
      answer(request, response);
    }),
  );
  server.on("connection", () => {
    connections++;
  });
  return {
    server,
    url: urlOf(server),
    requests,
    get connections() {
      return connections;
    },
  };
}

const leadsTo = (...addresses: string[]): Resolve => {
  const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  return async () => found;
};

const reasonOf = (outcome: Outcome): string => (outcome.isAnswer ? "Answered" : outcome.reason);

describe("an answer", () => {
  test("comes with its status, headers and body", async () => {
    let body = "";
    const { url, requests } = await receiver((request, response) => {
      request.setEncoding("utf8").on("data", (text: string) => {
        body += text;
      });
      request.on("end", () =>
        response.writeHead(503, { "retry-after": "7", "content-type": "text/plain" }).end("later"),
      );
    });
    const outcome = await post(agentWith(), url, { headers: { "x-a": "b" } });
    expect(outcome).toMatchObject({
      isAnswer: true,
      status: 503,
      retryAfter: "7",
      truncated: false,
      durationMs: expect.any(Number),
    });
    expect(outcome.isAnswer && outcome.body.toString()).toBe("later");
    expect(body).toBe(`{"a":1}`);
    expect(requests[0]).toMatchObject({ method: "POST", url: "/hook?x=1" });
    expect(requests[0]?.headers).toMatchObject({ "x-a": "b" });
  });

  test("after those that only announce it counts alone", async () => {
    const { url } = await receiver((_request, response) => {
      response.writeEarlyHints({ link: "</a>; rel=preload" });
      response.writeHead(200).end("yes");
    });
    expect(await post(agentWith(), url)).toMatchObject({ isAnswer: true, status: 200 });
  });

  test("longer than wanted is cut off, and so is the connection", async () => {
    const { url, requests } = await receiver((_request, response) => {
      response.writeHead(200);
      const more = () => response.write("x".repeat(65_536));
      response.on("drain", more);
      more();
    });
    const outcome = await post(agentWith(), url, { maxResponseBytes: 10 });
    expect(outcome).toMatchObject({ isAnswer: true, status: 200, truncated: true });
    expect(outcome.isAnswer && outcome.body.toString()).toBe("xxxxxxxxxx");
    await expect.poll(() => requests[0]?.socket.destroyed).toBe(true);
  });

  test("exactly as long as wanted is whole", async () => {
    const { url } = await receiver((_request, response) => response.writeHead(200).end("12345"));
    const outcome = await post(agentWith(), url, { maxResponseBytes: 5 });
    expect(outcome).toMatchObject({ isAnswer: true, truncated: false });
  });

  test("leaves a connection that the next request uses", async () => {
    const there = await receiver((_request, response) => response.end());
    const agent = agentWith();
    for (let n = 0; n < 5; n++) await post(agent, there.url);
    expect(there.requests).toHaveLength(5);
    expect(there.connections).toBeLessThan(5);
  });
});

describe("a failure says what it was:", () => {
  const answering: [string, RequestListener, string][] = [
    ["no answer at all", () => undefined, "Timeout"],
    [
      "an answer that never ends",
      (_request, response) => {
        response.writeHead(200);
        const drops = setInterval(() => response.write("."), 20);
        response.on("close", () => clearInterval(drops));
      },
      "Timeout",
    ],
    [
      "a connection that is cut",
      (request) => {
        request.socket.destroy();
      },
      "ConnectionFailed",
    ],
    [
      "an answer that is cut",
      (request, response) => {
        response.writeHead(200, { "content-length": "100" });
        response.write("half", () => request.socket.destroy());
      },
      "ConnectionFailed",
    ],
    [
      "headers without end",
      (_request, response) => {
        response.writeHead(200, { "x-long": "x".repeat(100_000) }).end();
      },
      "TooLarge",
    ],
    [
      "something that is not HTTP",
      (request) => {
        request.socket.end("SSH-2.0-OpenSSH_9.2\r\n\r\n");
      },
      "InvalidAnswer",
    ],
  ];
  test.each(answering)("%s", async (_what, answer, reason) => {
    const { url } = await receiver(answer);
    const outcome = await post(agentWith(), url, { timeoutMs: 300 });
    expect(reasonOf(outcome)).toBe(reason);
    expect(outcome).toMatchObject({ isAnswer: false, message: expect.stringMatching(/^[A-Z]/) });
  });

  test("nobody listens", async () => {
    const { server, url } = await receiver(() => undefined);
    server.close();
    await once(server, "close");
    const outcome = await post(agentWith(), url);
    expect(outcome).toMatchObject({
      reason: "ConnectionFailed",
      message: "The connection was refused",
    });
  });

  test("a name that nobody knows", async () => {
    const unknown: Resolve = async () => {
      throw Object.assign(new Error("no"), { code: "ENOTFOUND" });
    };
    const outcome = await post(agentWith({ resolve: unknown }), "http://nobody.example/");
    expect(outcome).toMatchObject({
      reason: "ConnectionFailed",
      message: "The name has no address",
    });
  });

  test("no connection in time, and the request is not sent later", async () => {
    const there = await receiver((_request, response) => response.end());
    let answer: () => void = () => undefined;
    const found = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const slow: Resolve = async () => {
      await found;
      return [{ address: "127.0.0.1", family: 4 }];
    };
    const agent = agentWith({ resolve: slow });
    const url = urlOf(there.server, "slow.example");
    expect(reasonOf(await post(agent, url, { timeoutMs: 50 }))).toBe("Timeout");
    answer();
    expect(reasonOf(await post(agent, url))).toBe("Answered");
    expect(there.requests).toHaveLength(1);
  });

  test.each([301, 302, 303, 307, 308])("a redirect (%i), which is not followed", async (status) => {
    const target = await receiver((_request, response) => response.end());
    const { url } = await receiver((_request, response) =>
      response.writeHead(status, { location: target.url }).end(),
    );
    expect(await post(agentWith(), url)).toMatchObject({ reason: "Redirected", status });
    expect(target.requests).toHaveLength(0);
  });
});

describe("an address that is not allowed is never connected to:", () => {
  test.each<[string, Partial<GuardedAgentOptions>, string]>([
    ["a literal one in production", { reach: "PublicOnly" }, "127.0.0.1"],
    ["a link-local one", {}, "169.254.169.254"],
    ["a name of it", { resolve: leadsTo("169.254.169.254") }, "metadata.example"],
    ["a name of this machine", { reach: "PublicOnly", resolve: leadsTo("127.0.0.1") }, "a.example"],
    [
      "a name of this machine, in IPv6",
      { reach: "PublicOnly", resolve: leadsTo("::ffff:127.0.0.1") },
      "a.example",
    ],
    [
      "a name of an allowed and another",
      { reach: "PublicOnly", resolve: leadsTo("93.184.215.14", "127.0.0.1") },
      "a.example",
    ],
    ["a name of nothing", { resolve: leadsTo() }, "a.example"],
  ])("%s", async (_what, options, host) => {
    const there = await receiver((_request, response) => response.end());
    const scheme = options.reach === "PublicOnly" ? "https" : "http";
    const url = `${scheme}://${host}:${portOf(there.server)}/`;
    expect(reasonOf(await post(agentWith(options), url))).toBe("RefusedAddress");
    expect(there.connections).toBe(0);
  });

  test("one that is not encrypted, in production", async () => {
    const agent = agentWith({ reach: "PublicOnly", resolve: leadsTo("8.8.8.8") });
    const outcome = await post(agent, "http://a.example/", { timeoutMs: 1_000 });
    expect(reasonOf(outcome)).toBe("RefusedAddress");
  });

  test("a literal one, whoever asks for the connection", async () => {
    const there = await receiver((_request, response) => response.end());
    const connect = guardedConnector({
      reach: "PublicOnly",
      resolve: leadsTo("8.8.8.8"),
      connectTimeoutMs: 10_000,
    });
    for (const hostname of ["127.0.0.1", "[::1]"]) {
      const port = String(portOf(there.server));
      const failure = await new Promise((resolve) =>
        connect({ hostname, protocol: "http:", port }, (...[error]) => resolve(error)),
      );
      expect(failure).toBeInstanceOf(RefusedAddress);
    }
    expect(there.connections).toBe(0);
  });

  test("a name that leads elsewhere the second time", async () => {
    const there = await receiver((_request, response) =>
      response.writeHead(200, { connection: "close" }).end(),
    );
    const answers = ["127.0.0.1", "169.254.169.254"];
    const rebinding: Resolve = async () => [{ address: answers.shift() ?? "", family: 4 }];
    const agent = agentWith({ resolve: rebinding });
    const url = urlOf(there.server, "rebind.example");
    expect(reasonOf(await post(agent, url))).toBe("Answered");
    expect(reasonOf(await post(agent, url))).toBe("RefusedAddress");
  });

  test.each<[string, Partial<GuardedAgentOptions>, string, RegExp | undefined]>([
    ["a good name", { resolve: leadsTo("8.8.8.8") }, "https://a.example/", undefined],
    ["a bad name", { resolve: leadsTo("8.8.8.8", "10.0.0.1") }, "https://a.example/", /public/],
    ["localhost", {}, "https://localhost/", /public/],
    ["a literal", {}, "https://[::1]/", /public/],
    ["a name that nobody knows yet", {}, "https://nobody.invalid/", undefined],
  ])("which can be asked before: %s", async (_what, options, url, expected) => {
    const problem = await agentWith({ reach: "PublicOnly", ...options }).problemOf(url);
    if (expected === undefined) expect(problem).toBeUndefined();
    else expect(problem).toMatch(expected);
  });

  test("which can be asked before, also while the name servers are silent", async () => {
    const agent = agentWith({ resolve: () => new Promise(() => undefined) });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const asked = agent.problemOf("https://a.example/");
    await vi.advanceTimersByTimeAsync(10_000);
    vi.useRealTimers();
    expect(await asked).toBeUndefined();
  });
});

describe("after the deadline", () => {
  test("a late answer is told to whoever wants to know", async () => {
    let answer: () => void = () => undefined;
    const { url } = await receiver((_request, response) => {
      answer = () => response.end("late");
    });
    const outcome = await post(agentWith(), url, { timeoutMs: 50, lateMs: 20_000 });
    expect(reasonOf(outcome)).toBe("Timeout");
    answer();
    const late = outcome.isAnswer ? undefined : await outcome.late;
    expect(late?.isAnswer && late.body.toString()).toBe("late");
    expect(late?.durationMs).toBeGreaterThanOrEqual(outcome.durationMs);
  });

  test("that there was none is told too", async () => {
    const { url } = await receiver(() => undefined);
    const outcome = await post(agentWith(), url, { timeoutMs: 50, lateMs: 100 });
    const late = outcome.isAnswer ? undefined : await outcome.late;
    expect(late).toMatchObject({ isAnswer: false, reason: "Timeout" });
  });

  test("nobody is told who did not ask", async () => {
    const { url } = await receiver(() => undefined);
    expect(await post(agentWith(), url, { timeoutMs: 50 })).not.toHaveProperty("late");
  });
});

describe("pools", () => {
  test("have room for so many and refuse more", async () => {
    const { url, requests } = await receiver(() => undefined);
    const agent = agentWith({ connectionsPerPool: 2 });
    const [first, second] = [post(agent, url), post(agent, url)];
    expect(reasonOf(await post(agent, url))).toBe("Overloaded");
    const neighbour = await receiver((_request, response) => response.end());
    expect(reasonOf(await post(agent, neighbour.url))).toBe("Answered");
    await agent.stop();
    expect([await first, await second].map(reasonOf)).toEqual(["Stopped", "Stopped"]);
    expect(requests.length).toBeLessThanOrEqual(2);
  });

  test("do not wait for each other, not even for the same host", async () => {
    const { url } = await receiver((request, response) => {
      if (request.headers["x-slow"] === undefined) response.end();
    });
    const agent = agentWith({ connectionsPerPool: 1 });
    const slow = post(agent, url, { pool: "slow", headers: { "x-slow": "1" } });
    expect(reasonOf(await post(agent, url, { pool: "fast" }))).toBe("Answered");
    await agent.stop();
    expect(reasonOf(await slow)).toBe("Stopped");
    expect(reasonOf(await post(agent, url))).toBe("Stopped");
  });

  test("a place is free again after a time-out", async () => {
    const { url } = await receiver((request, response) => {
      if (request.headers["x-slow"] === undefined) response.end();
    });
    const agent = agentWith({ connectionsPerPool: 1 });
    const slow = await post(agent, url, { timeoutMs: 50, headers: { "x-slow": "1" } });
    expect(reasonOf(slow)).toBe("Timeout");
    expect(reasonOf(await post(agent, url))).toBe("Answered");
  });
});

describe.skipIf(!hasOpenssl)("secure connections (needs openssl)", () => {
  const resolve = leadsTo("127.0.0.1");

  test.each<[string, string, boolean, string, RegExp]>([
    ["an unknown authority", "a.example", false, "TlsFailed", /signed/],
    ["another name", "b.example", true, "TlsFailed", /another name/],
    ["a certificate that is good", "a.example", true, "Answered", /^$/],
  ])("%s", async (_what, name, isTrusted, reason, message) => {
    const certificate = makeCertificate(name);
    const server = await listening(
      createTlsServer(certificate, (_request, response) => response.end()),
    );
    const ca = isTrusted ? { ca: certificate.cert.toString() } : {};
    const outcome = await post(
      agentWith({ resolve, ...ca }),
      `https://a.example:${portOf(server)}/`,
    );
    expect(reasonOf(outcome)).toBe(reason);
    expect(outcome.isAnswer ? "" : outcome.message).toMatch(message);
  });

  test("a server that does not speak TLS", async () => {
    const server = await listening(
      createTcpServer((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n")),
    );
    const outcome = await post(agentWith({ resolve }), `https://a.example:${portOf(server)}/`);
    expect(reasonOf(outcome)).toBe("TlsFailed");
  });
});
