import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectRefusal, verdict } from "./harness/answers.ts";
import { runCommand } from "./harness/command.ts";
import { type Browser, logInOwner, signUp } from "./harness/dashboard.ts";
import type { Call } from "./harness/decider.ts";
import { eventually } from "./harness/eventually.ts";
import { type ManagedSandbox, startManagedSandbox } from "./harness/managed.ts";
import { startTestService } from "./harness/service.ts";

const ROTATE = "/dashboard/credentials/signing-secret/rotate";

const lines: string[] = [];
let it: ManagedSandbox;
let owner: Browser;
/** The secret that signs. */
let current: string;

beforeAll(async () => {
  const log = { write: (line: string) => void lines.push(line) };
  it = await startManagedSandbox({ log }, { FLORIN_LOG_LEVEL: "trace" });
  owner = (await logInOwner(it.service.sandbox)).browser;
  current = it.service.sandbox.webhookSecret;
  await it.letDecide("AutoDecline");
});
beforeEach(() => {
  it.decider.calls.length = 0;
});
afterAll(() => it.stop());

/** Has the sandbox's secret rotated by its owner; gives the new one. */
async function rotate(overlapHours: number): Promise<string> {
  const answer = await owner.post(ROTATE, { overlapHours });
  expect(verdict(answer)).toBe("200/000");
  current = answer.body.data.webhookSecret;
  return current;
}

async function pass(hours: number): Promise<void> {
  await it.client.post("/simulator/clock/advance", { seconds: hours * 3600 });
  it.client.forgetToken();
}

/** A purchase is asked about and settled: the question and the advice, as they came. */
async function askAndAdvise(): Promise<Call[]> {
  const { cardId } = await it.openCard();
  const { transactionId, approved } = await it.buy(cardId, 1);
  expect(approved).toBe(true);
  await it.follow(transactionId, "settle");
  const isOfIt = ({ message }: Call) => message.transactionId === transactionId;
  return eventually("the settlement is told", () => {
    const calls = it.decider.calls.filter(isOfIt);
    return calls.some(({ message }) => message.requestType === "Settlement") ? calls : undefined;
  });
}

/** Expects that exactly these secrets verify a message, by as many signatures. */
function expectSignedBy(call: Call | undefined, secrets: string[], others: string[] = []): void {
  if (call === undefined) throw new Error("There is no message.");
  const headers = call.headers as Record<string, string>;
  expect(headers["webhook-signature"]?.split(" ")).toHaveLength(secrets.length);
  for (const secret of secrets) {
    expect(new Webhook(secret).verify(call.text, headers)).toEqual(call.message);
  }
  for (const secret of others) {
    expect(() => new Webhook(secret).verify(call.text, headers)).toThrow();
  }
}

async function expectAllSignedBy(secrets: string[], others: string[] = []): Promise<void> {
  const calls = await askAndAdvise();
  expect(calls.map(({ message }) => message.requestType)).toEqual(["Authorization", "Settlement"]);
  for (const call of calls) expectSignedBy(call, secrets, others);
}

describe("an owner rotates the signing secret", () => {
  test("both secrets sign at once, until the overlap is over; then the new one alone", async () => {
    const before = current;
    await expectAllSignedBy([before]);

    const answer = await owner.post(ROTATE, { overlapHours: 2 });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.body.data).toEqual({
      webhookSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/),
      expiresPreviousAt: expect.any(String),
    });
    current = answer.body.data.webhookSecret;
    expect(current).not.toBe(before);
    await expectAllSignedBy([current, before]);

    await pass(1.9);
    await expectAllSignedBy([current, before]);
    await pass(0.2);
    await expectAllSignedBy([current], [before]);
  });

  test("without an overlap the old one signs nothing more", async () => {
    const before = current;
    await expectAllSignedBy([await rotate(0)], [before]);
  });

  test("a second rotation ends the overlap of the first", async () => {
    const first = current;
    const second = await rotate(24);
    await expectAllSignedBy([await rotate(24), second], [first]);
  });

  test("two who rotate at once get a secret each, and both sign", async () => {
    const before = current;
    const answers = await Promise.all([rotate(1), rotate(1)]);
    await expectAllSignedBy(answers, [before]);
    await rotate(0);
  });

  test("how old the secrets are is shown, and they themselves are not", async () => {
    await rotate(0);
    const shown = async () => (await owner.get("/dashboard/credentials")).body;
    expect((await shown()).data.signingSecrets).toEqual([
      { createdAt: expect.any(String), expiresAt: null },
    ]);
    const madeBefore = (await shown()).data.signingSecrets[0].createdAt;
    const answer = await owner.post(ROTATE, { overlapHours: 720 });
    current = answer.body.data.webhookSecret;
    const { expiresPreviousAt } = answer.body.data;
    expect((await shown()).data.signingSecrets).toEqual([
      { createdAt: expect.any(String), expiresAt: null },
      { createdAt: madeBefore, expiresAt: expiresPreviousAt },
    ]);
    expect(JSON.stringify(await shown())).not.toContain("whsec_");
    await pass(721);
    expect((await shown()).data.signingSecrets).toHaveLength(1);
  });

  test.each([-1, 721, "1", null, undefined])("an overlap of %o hours is refused", async (hours) => {
    expectRefusal(await owner.post(ROTATE, { overlapHours: hours }), "400/131");
    await expectAllSignedBy([current]);
  });

  test("the deed is on record, without the secret", async () => {
    const before = current;
    await rotate(3);
    const { body } = await owner.get("/dashboard/audit?limit=1");
    expect(body.data).toMatchObject([
      {
        action: "credentials.signing_secret_rotated",
        person: { name: "Sandbox Owner" },
        address: "127.0.0.1",
        detail: { overlapMs: 3 * 3_600_000 },
      },
    ]);
    const { rows } = await it.pool.query(
      `select (select json_agg(a) from audit_log a)::text || (select json_agg(e) from events e)::text as whole`,
    );
    for (const secret of [before, current]) {
      expect(rows[0].whole).not.toContain(secret.replace("whsec_", ""));
    }
  });
});

describe("whoever signed up", () => {
  /** An organization that decides for itself, with the same address as the sandbox's own. */
  async function founded(email: string): Promise<{ browser: Browser; ask(): Promise<Call> }> {
    const { browser } = await signUp(it.service.sandbox.dashboardUrl, email);
    const body = {
      model: "CustomerManaged",
      authorizationUrl: it.decider.url,
      defaultAuthorizationDecision: "AutoDecline",
    };
    const saved = await browser.call("PUT", "/api/v1/settings/card-authorization", { body });
    expect(verdict(saved)).toBe("200/000");
    const ask = async () => {
      const { data } = (await browser.post("/dashboard/authorization-test")).body;
      expect(data.decision).toBe("Approve");
      return it.decider.questions.at(-1) as Call;
    };
    return { browser, ask };
  }

  test("gets the first secret by rotating, and verifies with it at once", async () => {
    const { browser, ask } = await founded("dev@first-secret.example");
    const [{ createdAt }] = (await browser.get("/dashboard/credentials")).body.data.signingSecrets;
    expect(Date.parse(createdAt)).not.toBeNaN();
    const { webhookSecret } = (await browser.post(ROTATE, { overlapHours: 0 })).body.data;
    expectSignedBy(await ask(), [webhookSecret], [current]);
  });

  test("changes nobody else's", async () => {
    const [ours, theirs] = [
      await founded("dev@ours-signing.example"),
      await founded("dev@theirs-signing.example"),
    ];
    const rotation = async (browser: Browser): Promise<string> =>
      (await browser.post(ROTATE, { overlapHours: 0 })).body.data.webhookSecret;
    const their = await rotation(theirs.browser);
    const our = await rotation(ours.browser);
    expectSignedBy(await theirs.ask(), [their], [our, current]);
    expectSignedBy(await ours.ask(), [our], [their, current]);
    const { signingSecrets } = (await theirs.browser.get("/dashboard/credentials")).body.data;
    expect(signingSecrets).toHaveLength(1);
    await rotate(0);
    await expectAllSignedBy([current], [our, their]);
    expectSignedBy(await theirs.ask(), [their]);
  });
});

describe("an operator", () => {
  const run = (...args: string[]) => runCommand(args, it.service.environment);

  test("rotates it, and running processes obey when the command ends", async () => {
    await rotate(0);
    const before = current;
    const command = ["credentials", "rotate", it.organizationId, "--signing-secret"];
    const { code, text } = await run(...command, "--overlap-hours", "1", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(text)).toEqual({
      organizationId: it.organizationId,
      webhookSecret: expect.stringMatching(/^whsec_/),
    });
    current = JSON.parse(text).webhookSecret;
    await expectAllSignedBy([current, before]);
    // The client's own secret is another matter.
    expect(verdict(await it.client.get("/wallets"))).toBe("200/000");
    expect((await owner.get("/dashboard/credentials")).body.data.secrets).toHaveLength(1);
    const { rows } = await it.pool.query(
      "select action, actor, detail from audit_log where organization_id = $1 order by audit_id desc limit 1",
      [it.organizationId],
    );
    const detail = { overlapMs: 3_600_000 };
    expect(rows).toEqual([
      { action: "credentials.signing_secret_rotated", actor: "operator", detail },
    ]);
  });

  test("without the option the client's secret is rotated, and this one is left alone", async () => {
    await rotate(0);
    await run("credentials", "rotate", it.organizationId);
    await expectAllSignedBy([current]);
  });

  test("rotates the keys that seal both secrets, and both go on signing", async () => {
    const before = current;
    await rotate(24);
    await run("keys", "rotate");
    // Whatever is remembered from before the rotation is forgotten with the next change.
    await run("org", "enable", it.organizationId);
    await expectAllSignedBy([current, before]);
  });
});

test("a sandbox's file has the current one after the next start", async () => {
  await rotate(24);
  const later = await startTestService({ FLORIN_DATABASE_URL: it.service.databaseUrl });
  try {
    expect(later.sandbox.webhookSecret).toBe(current);
  } finally {
    await later.stop();
  }
});

test("no secret has reached the log", async () => {
  const before = current;
  await rotate(1);
  await expectAllSignedBy([current, before]);
  const isRotation = (line: string) => line.includes("/credentials/signing-secret/rotate");
  await eventually("the rotation is logged", () => lines.some(isRotation) || undefined);
  for (const secret of [before, current]) {
    expect(lines.filter((line) => line.includes(secret.replace("whsec_", "")))).toEqual([]);
  }
});
