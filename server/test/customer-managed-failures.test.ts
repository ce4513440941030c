import { once } from "node:events";
import { createServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { audit } from "../src/ledger/audit/audit.ts";
import { hasOpenssl, makeCertificate } from "./harness/certificates.ts";
import { type Answering, approve, Decider, declineIt, saying, waiting } from "./harness/decider.ts";
import { until } from "./harness/eventually.ts";
import { type ManagedSandbox, startManagedSandbox } from "./harness/managed.ts";

let it: ManagedSandbox;
let log = "";

beforeAll(async () => {
  it = await startManagedSandbox(
    { log: { write: (line: string) => (log += line) } },
    { FLORIN_LOG_LEVEL: "trace" },
  );
});
beforeEach(async () => {
  it.decider.answer = approve;
  it.decider.calls.length = 0;
  await it.letDecide("AutoDecline");
});
afterEach(async () => {
  expect((await audit(it.pool)).problems).toEqual([]);
});
afterAll(() => it.stop());

const countOf = async (table: string, cardId: string): Promise<number> => {
  const { rows } = await it.pool.query(
    `select count(*)::int as n from ${table} where card_id = $1`,
    [cardId],
  );
  return rows[0].n;
};
const openQuestions = (cardId: string) => countOf("authorization_questions", cardId);
/** Told or not: what has been told is not kept. */
const advicesMade = async (cardId: string): Promise<number> => {
  const waiting = await countOf("authorization_advices", cardId);
  return waiting + it.decider.advices.filter(({ message }) => message.cardId === cardId).length;
};

/** As half a minute would. */
const growOld = (cardId: string) =>
  it.pool.query(
    "update authorization_questions set asked_at = asked_at - interval '30 seconds' where card_id = $1",
    [cardId],
  );

const typesOf = async (cardId: string): Promise<string[]> =>
  (await it.eventsOf(cardId)).map(({ type }) => type);

const drops: Answering = (_call, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  const dropping = setInterval(() => response.write(" "), 50);
  response.once("close", () => clearInterval(dropping));
};

const NO_ANSWERS: [string, Answering, RegExp][] = [
  ["text", saying("Approve"), /not valid JSON/],
  ["another JSON", saying({ approved: true }), /no valid decision/],
  ["500 with a decision", saying({ decision: "Approve" }, 500), /500/],
  ["204", (_call, response) => response.writeHead(204).end(), /204/],
  [
    "a redirect",
    (_call, response) => response.writeHead(302, { location: it.decider.url }).end(),
    /Redirects/,
  ],
  ["10 MB", saying(`{"decision":"Approve","metadata":"${"x".repeat(10_000_000)}"}`), /too long/],
];

/** Nobody knows what was said: it may be an approval. */
const UNHEARD: [string, Answering, RegExp][] = [
  ["a closed connection", (_call, response) => response.socket?.destroy(), /closed/],
  [
    "half an answer",
    (_call, response) => {
      response.writeHead(200, { "content-length": 100 });
      response.write(`{"decision":"Approve"`, () => response.socket?.destroy());
    },
    /closed|not valid/,
  ],
  ["silence", () => undefined, /in time/],
  ["an answer in drops", drops, /in time/],
];

describe.each<["AutoApprove" | "AutoDecline", object]>([
  ["AutoApprove", { approved: true, responseCode: "000", heldAmount: 2 }],
  ["AutoDecline", { approved: false, responseCode: "176", heldAmount: 0 }],
])("with %s", (byDefault, expected) => {
  test.each(NO_ANSWERS)("%s is no answer: the default decides", async (_what, answer, error) => {
    await it.letDecide(byDefault);
    it.decider.answer = answer;
    const { cardId } = await it.openCard();
    expect(await it.buy(cardId, 2)).toMatchObject({
      ...expected,
      decision: {
        model: "CustomerManaged",
        remote: { timedOut: false, defaultUsed: true, error: expect.stringMatching(error) },
      },
    });
    expect(await openQuestions(cardId)).toBe(0);
    expect(await advicesMade(cardId)).toBe(0);
    expect(await typesOf(cardId)).not.toContain("authorization.remote_timeout");
  });

  test.each(UNHEARD)("%s: the default decides", async (_what, answer, error) => {
    await it.letDecide(byDefault);
    it.decider.answer = answer;
    const { cardId } = await it.openCard();
    expect(await it.buy(cardId, 2)).toMatchObject({
      ...expected,
      decision: { remote: { defaultUsed: true, error: expect.stringMatching(error) } },
    });
    expect(await openQuestions(cardId)).toBe(byDefault === "AutoApprove" ? 0 : 1);
    expect(await advicesMade(cardId)).toBe(0);
  });

  test("no answer in time: the default decides, and that is told", async () => {
    await it.letDecide(byDefault);
    const { answering, go } = waiting(declineIt);
    it.decider.answer = answering;
    const { cardId } = await it.openCard();
    const bought = await it.buy(cardId, 2);
    expect(bought).toMatchObject({
      ...expected,
      decision: { remote: { timedOut: true, defaultUsed: true, error: "No answer in time" } },
    });
    expect((await it.eventsOf(cardId)).slice(0, 2)).toMatchObject([
      { type: expect.stringMatching(/^transaction\.(authorized|declined)$/) },
      {
        type: "authorization.remote_timeout",
        data: {
          cardId,
          transactionId: bought.transactionId,
          requestId: it.decider.questions[0]?.message.requestId,
          requestType: "Authorization",
          durationMs: bought.decision.remote.durationMs,
          defaultAuthorizationDecision: byDefault,
        },
      },
    ]);
    go();
    await until("the late answer is noted", async () =>
      (await typesOf(cardId)).includes("authorization.late_answer"),
    );
  });
});

test("an answer has 400 milliseconds and no more", async () => {
  it.decider.answer = (call, response) => setTimeout(() => approve(call, response), 450);
  const { cardId } = await it.openCard();
  const { approved, decision } = await it.buy(cardId, 2);
  expect(approved).toBe(false);
  expect(decision.remote).toMatchObject({ timedOut: true, defaultUsed: true });
  expect(decision.remote.durationMs).toBeGreaterThanOrEqual(400);
  expect(decision.remote.durationMs).toBeLessThan(4_000);
});

test.each(UNHEARD)("what was declined for %s is taken back in the end", async (_what, answer) => {
  it.decider.answer = answer;
  const { cardId } = await it.openCard();
  const { transactionId } = await it.buy(cardId, 2);
  await growOld(cardId);
  await until("it is taken back", () => it.decider.advicesOf(transactionId).length > 0);
  expect(it.decider.advicesOf(transactionId)).toEqual(["Reversal"]);
  expect(await openQuestions(cardId)).toBe(0);
  expect(await typesOf(cardId)).not.toContain("authorization.late_answer");
});

test.each([
  ["an answer that is no decision", 0],
  ["the same, but late", 600],
])("what was lost, asked again and met %s is taken back in the end", async (_what, afterMs) => {
  // A connection that has rested: the other side may have closed it before it heard the question.
  await it.buy((await it.openCard()).cardId, 1);
  it.decider.calls.length = 0;
  let isAnswered = false;
  it.decider.answer = (_call, response) => {
    if (it.decider.questions.length === 1) response.destroy();
    else setTimeout(() => response.writeHead(503).end(() => (isAnswered = true)), afterMs);
  };
  const { cardId } = await it.openCard();
  const { transactionId, decision } = await it.buy(cardId, 2);
  expect(decision.remote.defaultUsed).toBe(true);
  const asked = it.decider.questions.map(({ message }) => message.transactionId);
  expect(asked).toEqual([transactionId, transactionId]);
  await until("the answer has gone out", () => isAnswered);
  // While this is asked and decided, the answer is read.
  it.decider.answer = approve;
  await it.buy((await it.openCard()).cardId, 1);
  await growOld(cardId);
  await until("it is taken back", () => it.decider.advicesOf(transactionId).length > 0);
  expect(it.decider.advicesOf(transactionId)).toEqual(["Reversal"]);
});

test("what was declined while too many were late for all to be heard is taken back in the end", async () => {
  it.decider.answer = () => undefined;
  const buyMany = async (count: number) => {
    const cards = await Promise.all(Array.from({ length: count }, () => it.openCard()));
    await Promise.all(cards.map(({ cardId }) => it.buy(cardId, 1)));
    return cards;
  };
  await buyMany(40);
  const beyond = await buyMany(8);
  for (const { cardId } of beyond) expect(await openQuestions(cardId)).toBe(1);
});

test("where nobody could be asked, nothing is taken back", async () => {
  const { port, stop } = await tcpServer();
  stop();
  await it.letDecide("AutoDecline", `http://127.0.0.1:${port}/`);
  const { cardId } = await it.openCard();
  await it.buy(cardId, 1);
  expect(await openQuestions(cardId)).toBe(0);
  expect(await advicesMade(cardId)).toBe(0);
});

test("a late approval of what was declined is noted, told and taken back", async () => {
  const { answering, go } = waiting(approve);
  it.decider.answer = answering;
  const { cardId } = await it.openCard();
  const bought = await it.buy(cardId, 2);
  const { transactionId } = bought;
  expect(bought).toMatchObject({ approved: false, responseCode: "176" });
  go();
  await until("it is taken back", () => it.decider.advicesOf(transactionId).length > 0);
  expect(it.decider.advicesOf(transactionId)).toEqual(["Reversal"]);
  const [question, reversal] = it.decider.calls
    .map(({ message }) => message)
    .filter((message) => message.transactionId === transactionId);
  const { requestId, createdAt } = reversal;
  expect(reversal).toEqual({ ...question, requestType: "Reversal", requestId, createdAt });
  // A message of its own: whoever goes by ids must not take it for the question.
  expect(requestId).not.toBe(question.requestId);
  expect(createdAt > question.createdAt).toBe(true);
  expect(await it.remoteOf(transactionId)).toMatchObject({
    timedOut: true,
    lateDecision: "Approve",
  });
  const events = await it.eventsOf(cardId);
  expect(events.at(-1)).toMatchObject({
    type: "authorization.late_answer",
    data: {
      transactionId,
      requestId: question.requestId,
      lateDecision: "Approve",
      approved: false,
      responseCode: "176",
    },
  });
  expect(await openQuestions(cardId)).toBe(0);
});

test.each<[string, Answering]>([
  ["500", saying({ decision: "Approve" }, 500)],
  ["a redirect", (_call, response) => response.writeHead(302, { location: "/" }).end()],
])("a late answer that decides nothing, %s, takes nothing back", async (_what, answer) => {
  const { answering, go } = waiting(answer);
  it.decider.answer = answering;
  const { cardId } = await it.openCard();
  expect(await it.buy(cardId, 2)).toMatchObject({ approved: false });
  go();
  await until("it is heard", async () => (await openQuestions(cardId)) === 0);
  expect(await advicesMade(cardId)).toBe(0);
  expect(await typesOf(cardId)).not.toContain("authorization.late_answer");
});

test.each<["AutoApprove" | "AutoDecline", Answering, string]>([
  ["AutoApprove", approve, "Approve"],
  ["AutoApprove", declineIt, "Decline"],
  ["AutoDecline", declineIt, "Decline"],
])(
  "with %s, a late answer that takes nothing back changes nothing",
  async (byDefault, answer, lateDecision) => {
    await it.letDecide(byDefault);
    const { answering, go } = waiting(answer);
    it.decider.answer = answering;
    const { cardId } = await it.openCard();
    const { transactionId, approved } = await it.buy(cardId, 2);
    const before = await it.wallet();
    go();
    await until(
      "it is noted",
      async () => (await it.remoteOf(transactionId))?.lateDecision === lateDecision,
    );
    expect(approved).toBe(byDefault === "AutoApprove");
    expect(await it.wallet()).toEqual(before);
    expect(await openQuestions(cardId)).toBe(0);
    expect(await advicesMade(cardId)).toBe(0);
  },
);

test.each<[string, () => Promise<{ url: string; stop(): void }>]>([
  [
    "nobody listens",
    async () => {
      const { port, stop } = await tcpServer();
      stop();
      return { url: `http://127.0.0.1:${port}/`, stop };
    },
  ],
  [
    "somebody else listens",
    async () => {
      const { port, stop } = await tcpServer((text) => `SSH-2.0-none ${text.length}\r\n`);
      return { url: `http://127.0.0.1:${port}/`, stop };
    },
  ],
  ["the name is nobody's", async () => ({ url: "http://nobody.invalid/", stop: () => undefined })],
])("where %s the default decides", async (_where, start) => {
  const { url, stop } = await start();
  try {
    await it.letDecide("AutoApprove", url);
    const { cardId } = await it.openCard();
    expect(await it.buy(cardId, 2)).toMatchObject({
      approved: true,
      decision: { remote: { defaultUsed: true, error: expect.any(String) } },
    });
  } finally {
    stop();
  }
});

test("what failed before is forgotten when the settings are saved", async () => {
  const { port, stop } = await tcpServer();
  stop();
  const url = `http://127.0.0.1:${port}/`;
  await it.letDecide("AutoDecline", url);
  const { cardId } = await it.openCard();
  for (let n = 0; n < 7; n++) await it.buy(cardId, 1);
  expect((await it.buy(cardId, 1)).decision.remote.error).toMatch(/given a rest/);
  const decider = await Decider.start(port);
  try {
    // The very same: saving them is what counts.
    await it.letDecide("AutoDecline", url);
    expect(await it.buy(cardId, 1)).toMatchObject({ approved: true });
  } finally {
    decider.stop();
  }
});

async function tcpServer(
  answer: (text: string) => string = () => "",
): Promise<{ port: number; stop(): void }> {
  const server = createTcpServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (data) => socket.end(answer(data.toString())));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { port, stop: () => server.close() };
}

test.skipIf(!hasOpenssl)(
  "a certificate that nobody vouches for decides nothing (needs openssl)",
  async () => {
    const certificate = makeCertificate("localhost", "DNS:localhost,IP:127.0.0.1");
    const server = createServer(certificate, (_request, response) =>
      response.end(`{"decision":"Approve"}`),
    );
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      await it.letDecide(
        "AutoDecline",
        `https://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      );
      const { cardId } = await it.openCard();
      expect(await it.buy(cardId, 2)).toMatchObject({
        responseCode: "176",
        decision: { remote: { error: expect.stringMatching(/certificate/) } },
      });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  },
);

test("no secret and no signature has reached the log", () => {
  const { webhookSecret, clientSecret } = it.service.sandbox;
  expect(log).not.toBe("");
  for (const secret of [webhookSecret, webhookSecret.slice("whsec_".length), clientSecret, "v1,"]) {
    expect(log).not.toContain(secret);
  }
});
