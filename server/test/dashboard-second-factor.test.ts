import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createPool, type Pool } from "../src/db/pool.ts";
import { expectRefusal, verdict } from "./harness/answers.ts";
import { Authenticator, Browser, type SignedIn, signUp } from "./harness/dashboard.ts";
import { until } from "./harness/eventually.ts";
import { lockWaiters } from "./harness/lock-waiters.ts";
import { startTestService, type TestService } from "./harness/service.ts";

let service: TestService;
let pool: Pool;
let origin: string;
beforeAll(async () => {
  service = await startTestService();
  pool = createPool(service.databaseUrl, 2);
  origin = service.sandbox.dashboardUrl;
});
afterAll(async () => {
  await pool.end();
  await service.stop();
});
afterEach(() => void vi.restoreAllMocks());

/** Logs in as far as the second factor, from a new browser. */
async function halfIn({ email, password }: SignedIn): Promise<Browser> {
  const browser = await Browser.open(origin);
  const answer = await browser.post("/dashboard/log-in", { email, password });
  expect(answer.body.data).toMatchObject({ state: "Totp" });
  return browser;
}

/** Logs in all the way with a recovery code, from a new browser. */
async function recovered(person: SignedIn, recoveryCode: string | undefined): Promise<Browser> {
  const browser = await halfIn(person);
  expect(verdict(await browser.post("/dashboard/log-in/totp", { recoveryCode }))).toBe("200/000");
  return browser;
}

/** Whether somebody got a letter about something. */
async function isTold(browser: Browser, email: string, about: string): Promise<boolean> {
  const { body } = await browser.get("/dashboard/mailbox");
  return body.data.some(
    ({ to, subject }: { to: string; subject: string }) => to === email && subject.includes(about),
  );
}

async function actionsOf({ browser }: SignedIn): Promise<string[]> {
  const { body } = await browser.get("/dashboard/audit?limit=100");
  return body.data.map(({ action }: { action: string }) => action);
}

test("whoever uses a recovery code hears how many are left", async () => {
  const person = await signUp(origin, "count@factor.example");
  const told = await person.browser.get("/dashboard/second-factor");
  expect(told.body.data).toEqual({ since: expect.any(String), recoveryCodesLeft: 10 });
  const browser = await halfIn(person);
  const [recoveryCode] = person.recoveryCodes;
  const answer = await browser.post("/dashboard/log-in/totp", { recoveryCode });
  expect(answer.body.data).toMatchObject({ state: "Full", recoveryCodesLeft: 9 });
  const again = await browser.get("/dashboard/second-factor");
  expect(again.body.data).toMatchObject({ recoveryCodesLeft: 9 });
});

test("recovery codes are renewed by whoever proves the second factor, and others end", async () => {
  const person = await signUp(origin, "renew@factor.example");
  const { browser, app, email } = person;
  const other = await recovered(person, person.recoveryCodes[0]);
  expectRefusal(await browser.post("/dashboard/recovery-codes", {}), "400/131");
  const wrong = await browser.post("/dashboard/recovery-codes", { code: "000000" });
  expectRefusal(wrong, "400/131");
  expect(wrong.body.errors).toMatchObject([{ field: "code" }]);
  const used = { recoveryCode: person.recoveryCodes[0] };
  expectRefusal(await browser.post("/dashboard/recovery-codes", used), "400/131");

  const renewed = await browser.post("/dashboard/recovery-codes", { code: await app.next() });
  const { recoveryCodes } = renewed.body.data;
  expect(new Set(recoveryCodes).size).toBe(10);
  expect(recoveryCodes).not.toEqual(expect.arrayContaining([person.recoveryCodes[1]]));
  expectRefusal(await other.get("/dashboard/people"), "401/146");
  expect(verdict(await browser.get("/dashboard/people"))).toBe("200/000");

  const old = await halfIn(person);
  const [, stale] = person.recoveryCodes;
  expectRefusal(await old.post("/dashboard/log-in/totp", { recoveryCode: stale }), "401/146");
  await recovered(person, recoveryCodes[0]);
  expect(await actionsOf(person)).toEqual(
    expect.arrayContaining(["recovery_codes.renewed", "second_factor.failed"]),
  );
  const { rows } = await pool.query("select code_hash as hash from recovery_codes");
  for (const code of recoveryCodes) expect(JSON.stringify(rows)).not.toContain(code);
  await until("a letter tells", () => isTold(browser, email, "recovery codes"));
});

test("another app takes the place of the one before, once both are proved", async () => {
  const person = await signUp(origin, "replace@factor.example");
  const { browser, app, email } = person;
  const other = await recovered(person, person.recoveryCodes[0]);
  expectRefusal(await browser.post("/dashboard/totp/replacement", { code: "000000" }), "400/131");
  const begun = await browser.post("/dashboard/totp/replacement", { code: await app.next() });
  const { secret, uri, qrSvg, candidate } = begun.body.data;
  expect(uri).toContain(`secret=${secret}`);
  expect(qrSvg).toMatch(/^<svg /);
  expect(Buffer.from(candidate, "base64url").toString("latin1")).not.toContain(secret);

  // Until the new app has shown a code, the old one counts.
  const path = "/dashboard/totp/replacement/confirmation";
  expectRefusal(await browser.post(path, { code: "000000", candidate }), "400/131");
  const next = new Authenticator(secret);
  const stolen = await other.post(path, { code: next.show(), candidate });
  expectRefusal(stolen, "404/157");
  const forged = `${candidate.slice(0, -4)}AAAA`;
  expectRefusal(await browser.post(path, { code: next.show(), candidate: forged }), "404/157");
  expectRefusal(await browser.post(path, { code: next.show(), candidate: "x" }), "404/157");

  const code = await next.next();
  expect(verdict(await browser.post(path, { code, candidate }))).toBe("200/000");
  expectRefusal(await other.get("/dashboard/people"), "401/146");
  expect(verdict(await browser.get("/dashboard/people"))).toBe("200/000");
  expectRefusal(await browser.post(path, { code: next.show(), candidate }), "404/157");

  const late = await halfIn(person);
  expectRefusal(await late.post("/dashboard/log-in/totp", { code: await app.next() }), "401/146");
  expectRefusal(await late.post("/dashboard/log-in/totp", { code }), "401/146");
  const fresh = await late.post("/dashboard/log-in/totp", { code: await next.next() });
  expect(verdict(fresh)).toBe("200/000");
  // The codes for a lost app are still those from before.
  await recovered(person, person.recoveryCodes[1]);
  expect(await actionsOf(person)).toEqual(expect.arrayContaining(["totp.replaced"]));
  await until("a letter tells", () => isTold(browser, email, "authenticator app"));
});

test("a new app has a quarter of an hour to prove itself", async () => {
  const { browser, app } = await signUp(origin, "slow@factor.example");
  const begun = await browser.post("/dashboard/totp/replacement", { code: await app.next() });
  const beganMs = Date.now();
  const { candidate } = begun.body.data;
  const confirm = () =>
    browser.post("/dashboard/totp/replacement/confirmation", { code: "000000", candidate });
  vi.spyOn(Date, "now").mockReturnValue(beganMs + 14 * 60_000);
  expectRefusal(await confirm(), "400/131");
  vi.spyOn(Date, "now").mockReturnValue(beganMs + 15 * 60_000 + 1);
  expectRefusal(await confirm(), "404/157");
});

test("guesses at the code of a new app are counted", async () => {
  const { browser, app } = await signUp(origin, "newguess@factor.example");
  const begun = await browser.post("/dashboard/totp/replacement", { code: await app.next() });
  const { candidate } = begun.body.data;
  const verdicts: string[] = [];
  for (let i = 0; i < 24; i++) {
    const guess = { code: "000000", candidate };
    verdicts.push(verdict(await browser.post("/dashboard/totp/replacement/confirmation", guess)));
  }
  expect(verdicts[0]).toBe("400/131");
  expect(verdicts.at(-1)).toBe("429/170");
});

test("a lost app is replaced with a recovery code", async () => {
  const person = await signUp(origin, "lost@factor.example");
  const browser = await recovered(person, person.recoveryCodes[0]);
  const proof = { recoveryCode: person.recoveryCodes[1] };
  const begun = await browser.post("/dashboard/totp/replacement", proof);
  const { secret, candidate } = begun.body.data;
  const code = await new Authenticator(secret).next();
  const done = await browser.post("/dashboard/totp/replacement/confirmation", { code, candidate });
  expect(verdict(done)).toBe("200/000");
  const { body } = await browser.get("/dashboard/second-factor");
  expect(body.data.recoveryCodesLeft).toBe(8);
});

test("two renewals at once leave one set of codes", async () => {
  const { browser, app, email, recoveryCodes } = await signUp(origin, "twice@factor.example");
  const theirs = `organization_id = (select organization_id from people where email = $1)
                  and person_id = (select person_id from people where email = $1)`;
  const gate = await pool.connect();
  // Codes can still be used, but not deleted: no renewal gets further than that.
  await gate.query("begin");
  await gate.query(`select from recovery_codes where ${theirs} for key share`, [email]);
  const renewals = [{ code: await app.next() }, { recoveryCode: recoveryCodes[0] }].map((proof) =>
    browser.post("/dashboard/recovery-codes", proof),
  );
  await until("both wait", async () => (await lockWaiters(pool)) === 2).finally(async () => {
    await gate.query("rollback");
    gate.release();
  });
  const verdicts = (await Promise.all(renewals)).map(verdict);
  expect(verdicts).toContain("200/000");
  const { rowCount } = await pool.query(`select from recovery_codes where ${theirs}`, [email]);
  expect(rowCount).toBe(10);
});

test("a session buys no more guesses at the proof than a stranger has", async () => {
  const { browser, app, email, password } = await signUp(origin, "guess@factor.example");
  const verdicts: string[] = [];
  for (let i = 0; i < 12; i++) {
    verdicts.push(verdict(await browser.post("/dashboard/recovery-codes", { code: "000000" })));
  }
  expect(new Set(verdicts)).toEqual(new Set(["400/131", "429/170"]));
  expect(verdicts.filter((each) => each === "400/131").length).toBeLessThanOrEqual(8);
  const answer = await browser.post("/dashboard/totp/replacement", { code: "000000" });
  expectRefusal(answer, "429/170");
  // Signing in from this browser has a budget of its own.
  await browser.post("/dashboard/log-in", { email, password });
  const entered = await browser.post("/dashboard/log-in/totp", { code: await app.next() });
  expect(verdict(entered)).toBe("200/000");
});

test("half a session changes no second factor", async () => {
  const person = await signUp(origin, "halfway@factor.example");
  const browser = await halfIn(person);
  const proof = { recoveryCode: person.recoveryCodes[0] };
  expectRefusal(await browser.get("/dashboard/second-factor"), "401/146");
  expectRefusal(await browser.post("/dashboard/recovery-codes", proof), "401/146");
  expectRefusal(await browser.post("/dashboard/totp/replacement", proof), "401/146");
  await recovered(person, person.recoveryCodes[0]);
});
