import { afterAll, beforeAll, expect, test } from "vitest";
import { createPool, type Pool } from "../src/db/pool.ts";
import { expectRefusal, verdict } from "./harness/answers.ts";
import {
  Authenticator,
  Browser,
  GOOD_PASSWORD,
  inviteAs,
  linkTo,
  logInOwner,
  type SignedIn,
  signUp,
  tokenIn,
} from "./harness/dashboard.ts";
import { eventually, until } from "./harness/eventually.ts";
import { startTestService, type TestService } from "./harness/service.ts";

let service: TestService;
let pool: Pool;
let origin: string;
beforeAll(async () => {
  // A proxy on this machine, so that a test can come from any address.
  service = await startTestService({ FLORIN_TRUST_PROXY: "127.0.0.1" });
  pool = createPool(service.databaseUrl, 2);
  origin = service.sandbox.dashboardUrl;
});
afterAll(async () => {
  await pool.end();
  await service.stop();
});

const from = (address: string) => ({ headers: { "x-forwarded-for": address } });

/** Logs in as far as the second factor. */
async function halfIn({ email, password }: SignedIn, call = {}): Promise<Browser> {
  const browser = await Browser.open(origin);
  const answer = await browser.post("/dashboard/log-in", { email, password }, call);
  expect(answer.body.data).toMatchObject({ state: "Totp" });
  return browser;
}

test("a newcomer logs in with what sandbox.json says", async () => {
  const { browser } = await logInOwner(service.sandbox);
  expect(await browser.me()).toMatchObject({
    state: "Full",
    environment: "sandbox",
    person: { email: service.sandbox.dashboard.email, role: "Owner" },
    organization: { name: "Sandbox" },
    addresses: { api: service.sandbox.apiUrl, identity: service.sandbox.identityUrl },
  });
  const wallets = await browser.get("/api/v1/wallets");
  expect(wallets.body.data).toMatchObject([{ currency: "USD", balance: 100_000 }]);
});

test("without a session the API's features are closed, on this listener too", async () => {
  const browser = await Browser.open(origin);
  expectRefusal(await browser.get("/api/v1/wallets"), "401/146");
  expectRefusal(await browser.get("/api/v1/nothing"), "401/146");
  const { client } = service;
  const headers = await client.headers("GET", `${service.sandbox.apiUrl}/api/v1/wallets`);
  // The five headers are the API's own way in, not this one's.
  expectRefusal(await browser.get("/api/v1/wallets", { headers }), "401/146");
  expectRefusal(await browser.post("/api/v1/simulator/wallets/deposits", {}), "401/146");
});

test("half a session opens nothing but its second half", async () => {
  const person = await signUp(origin, "half@halves.example");
  const browser = await halfIn(person);
  expect(await browser.me()).not.toHaveProperty("person");
  for (const path of ["/api/v1/wallets", "/dashboard/people", "/dashboard/home?days=7"]) {
    expectRefusal(await browser.get(path), "401/146");
  }
  expectRefusal(await browser.post("/dashboard/totp/enrolment"), "401/146");
});

test("wrong passwords and unknown addresses are told in the same words", async () => {
  const { email } = service.sandbox.dashboard;
  const browser = await Browser.open(origin);
  const answers = [];
  for (const address of [email, "nobody@nowhere.example"]) {
    const form = { email: address, password: "not the password at all" };
    const answer = await browser.post("/dashboard/log-in", form, from("203.0.113.1"));
    expectRefusal(answer, "401/146");
    answers.push({ ...answer.body, requestId: "" });
  }
  expect(answers[0]).toEqual(answers[1]);
});

test("a code works once, also when it is sent twice at once", async () => {
  const person = await signUp(origin, "code@once.example");
  const [one, other] = [await halfIn(person), await halfIn(person)];
  const code = person.app.next();
  const send = (browser: Browser) => browser.post("/dashboard/log-in/totp", { code });
  const verdicts = (await Promise.all([send(one), send(other)])).map(verdict);
  expect(verdicts.toSorted()).toEqual(["200/000", "401/146"]);
  expectRefusal(await send(await halfIn(person)), "401/146");
  // One of an earlier step does not come back either.
  const late = await halfIn(person);
  expectRefusal(
    await late.post("/dashboard/log-in/totp", { code: person.app.show(-1) }),
    "401/146",
  );
});

test("a recovery code stands in for the app, once", async () => {
  const person = await signUp(origin, "recover@lost.example");
  const [recoveryCode = ""] = person.recoveryCodes;
  const browser = await halfIn(person);
  expect(verdict(await browser.post("/dashboard/log-in/totp", { recoveryCode }))).toBe("200/000");
  expect(await browser.me()).toMatchObject({ state: "Full" });
  const again = await halfIn(person);
  expectRefusal(await again.post("/dashboard/log-in/totp", { recoveryCode }), "401/146");
  // However it is typed.
  const typed = person.recoveryCodes[1]?.toUpperCase().replace("-", " ");
  expect(verdict(await again.post("/dashboard/log-in/totp", { recoveryCode: typed }))).toBe(
    "200/000",
  );
});

test("guesses are throttled by address and account, and lock nobody else out", async () => {
  const person = await signUp(origin, "victim@guessed.example");
  const attacker = await Browser.open(origin);
  const guess = { email: person.email, password: "a guess that is wrong" };
  const verdicts = new Set<string>();
  for (let i = 0; i < 12; i++) {
    verdicts.add(verdict(await attacker.post("/dashboard/log-in", guess, from("198.51.100.7"))));
  }
  expect(verdicts).toEqual(new Set(["401/146", "429/170"]));
  const refused = await attacker.post("/dashboard/log-in", guess, from("198.51.100.7"));
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  // Even the right password is no way in from there, or it would be a way to find it.
  const right = { email: person.email, password: person.password };
  expectRefusal(await attacker.post("/dashboard/log-in", right, from("198.51.100.7")), "429/170");
  expect(verdict(await attacker.post("/dashboard/log-in", right, from("192.0.2.9")))).toBe(
    "200/000",
  );
  // The person's own browser has signed in before: it is let in even from the attacker's address.
  const own = person.browser;
  await own.post("/dashboard/log-out");
  await own.me();
  expect(verdict(await own.post("/dashboard/log-in", right, from("198.51.100.7")))).toBe("200/000");
});

test("guesses that are sent at once are counted as well", async () => {
  const person = await signUp(origin, "parallel@guessed.example");
  const { email } = person;
  const attacker = await Browser.open(origin);
  const looked = (answers: { status: number }[], status: number) =>
    answers.filter((answer) => answer.status === status).length;
  const guess = { email, password: "a guess that is wrong" };
  const address = from("198.51.100.8");
  const guesses = await Promise.all(
    Array.from({ length: 80 }, () => attacker.post("/dashboard/log-in", guess, address)),
  );
  // Ten at once, and one more for each ten seconds that this takes.
  expect(looked(guesses, 401)).toBeGreaterThan(0);
  expect(looked(guesses, 401)).toBeLessThan(20);
  expect(looked(guesses, 401) + looked(guesses, 429)).toBe(80);

  // Who has a session has its browser's budget, and no more guesses at the password.
  const { browser } = person;
  const body = {
    currentPassword: "a guess that is wrong",
    password: "Seven-brass-hinges-on-a-boat",
  };
  const changes = await Promise.all(
    Array.from({ length: 80 }, () => browser.post("/dashboard/password", body, address)),
  );
  expect(looked(changes, 400)).toBeGreaterThan(0);
  expect(looked(changes, 400)).toBeLessThan(35);
});

test("codes are throttled by account, from however many addresses they come", async () => {
  const person = await signUp(origin, "codes@guessed.example");
  const verdicts = new Set<string>();
  for (let i = 0; i < 10; i++) {
    const address = from(`198.51.100.${100 + i}`);
    const browser = await halfIn(person, address);
    const answer = await browser.post("/dashboard/log-in/totp", { code: "000000" }, address);
    verdicts.add(verdict(answer));
  }
  expect(verdicts).toEqual(new Set(["401/146", "429/170"]));
});

test("a forgotten password is replaced by a link, and the second factor is still needed", async () => {
  const person = await signUp(origin, "forgot@memory.example");
  const browser = await Browser.open(origin);
  const { email } = person;
  expect((await browser.post("/dashboard/password/forgotten", { email })).body.data).toEqual({
    sent: true,
  });
  const token = tokenIn(await linkTo(origin, email, "/reset?token="));
  const weak = await browser.post("/dashboard/password/reset", { token, password: "password1234" });
  expectRefusal(weak, "400/131");
  const password = "An-entirely-different-lantern";
  const reset = await browser.post("/dashboard/password/reset", { token, password });
  expect(reset.body.data).toMatchObject({ state: "Totp" });
  expectRefusal(await browser.post("/dashboard/password/reset", { token, password }), "404/157");
  // Whoever was signed in is signed out.
  expectRefusal(await person.browser.get("/dashboard/people"), "401/146");
  const code = person.app.next();
  expect(verdict(await browser.post("/dashboard/log-in/totp", { code }))).toBe("200/000");
  const stranger = await Browser.open(origin);
  const old = { email, password: person.password };
  expectRefusal(await stranger.post("/dashboard/log-in", old, from("203.0.113.77")), "401/146");
});

test("a reset link tells whether it works, without being used up, and nothing else", async () => {
  const owner = await signUp(origin, "owner@dead-links.example", "Dead Links Ltd");
  const { browser: leaver, email } = await inviteAs(owner, "Viewer", "viewer@dead-links.example");
  const browser = await Browser.open(origin);
  const look = (token: string) => browser.get(`/dashboard/password/reset?token=${token}`);
  const orderFor = async (address: string) => {
    const form = { email: address };
    await browser.post("/dashboard/password/forgotten", form, from("198.51.100.32"));
    return tokenIn(await linkTo(origin, address, "/reset?token="));
  };
  const used = await orderFor(owner.email);
  for (let looks = 0; looks < 3; looks++) {
    const answer = await look(used);
    expect(verdict(answer)).toBe("200/000");
    expect(answer.body.data).toEqual({});
  }
  // It is no registration's, and a registration's is none.
  expectRefusal(await browser.get(`/dashboard/registration?token=${used}`), "404/157");
  const removed = await orderFor(email);
  const { personId } = (await leaver.me()).person;
  await owner.browser.call("DELETE", `/dashboard/people/${personId}`);
  const form = { token: used, password: "An-entirely-different-lantern" };
  expect(verdict(await browser.post("/dashboard/password/reset", form))).toBe("200/000");
  for (const dead of [used, removed, `${used}x`]) expectRefusal(await look(dead), "404/157");
  expectRefusal(await look(""), "400/131");
});

test("letters that strangers order keep nobody from a new password", async () => {
  const { email } = await signUp(origin, "flooded@letters.example");
  const stranger = await Browser.open(origin);
  const form = { organizationName: "Flood Ltd", name: "Somebody", email };
  for (let i = 0; i < 6; i++) {
    await stranger.post("/dashboard/sign-up", form, from("198.51.100.30"));
  }
  await linkTo(origin, email, "/log-in");
  const owner = await signUp(origin, "inviter@letters.example", "Inviters Ltd");
  const invitation = { email, name: "Somebody", role: "Viewer" };
  for (let i = 0; i < 6; i++) await owner.browser.post("/dashboard/invitations", invitation);
  await stranger.post("/dashboard/password/forgotten", { email }, from("198.51.100.31"));
  expect(await linkTo(origin, email, "/reset?token=")).toMatch(/token=./);
});

/** The subjects of the letters that somebody got, latest first. */
async function subjectsTo(email: string): Promise<string[]> {
  const { body } = await new Browser(origin).get("/dashboard/mailbox");
  const letters = body.data as { to: string; subject: string }[];
  return letters.filter(({ to }) => to === email).map(({ subject }) => subject);
}

test("a new password ends the links that could choose another, and a letter tells of it", async () => {
  const person = await signUp(origin, "relink@memory.example");
  const { browser, email } = person;
  await browser.post("/dashboard/password/forgotten", { email });
  const token = tokenIn(await linkTo(origin, email, "/reset?token="));
  const change = { currentPassword: person.password, password: "Seven-brass-hinges-on-a-boat" };
  expect(verdict(await browser.post("/dashboard/password", change))).toBe("200/000");
  const thief = await Browser.open(origin);
  const password = "An-entirely-different-lantern";
  expectRefusal(await thief.post("/dashboard/password/reset", { token, password }), "404/157");

  await browser.post("/dashboard/password/forgotten", { email });
  const fresh = await eventually("there is another link", async () => {
    const found = tokenIn(await linkTo(origin, email, "/reset?token="));
    return found === token ? undefined : found;
  });
  const reset = await thief.post("/dashboard/password/reset", { token: fresh, password });
  expect(verdict(reset)).toBe("200/000");
  await until("both changes were told", async () => {
    const told = (await subjectsTo(email)).filter((subject) => /password .* changed/.test(subject));
    return told.length === 2;
  });
});

test("nobody hears whether an address is known", async () => {
  const browser = await Browser.open(origin);
  const email = "unknown@nowhere.example";
  const forgotten = await browser.post("/dashboard/password/forgotten", { email });
  expect(forgotten.body.data).toEqual({ sent: true });
  // A known address gets a letter that says so, instead of a link.
  const known = service.sandbox.dashboard.email;
  const form = { organizationName: "Again", name: "Somebody", email: known };
  expect((await browser.post("/dashboard/sign-up", form)).body.data).toEqual({ sent: true });
  expect(await linkTo(origin, known, "/log-in")).toBe(`${origin}/log-in`);
  const { body } = await browser.get("/dashboard/mailbox");
  expect(body.data.map(({ to }: { to: string }) => to)).not.toContain(email);
});

test("a link has an end", async () => {
  const browser = await Browser.open(origin);
  const email = "late@comer.example";
  await browser.post("/dashboard/sign-up", { organizationName: "Late Ltd", name: "Lea", email });
  const token = tokenIn(await linkTo(origin, email, "/registration?token="));
  expect((await browser.get(`/dashboard/registration?token=${token}`)).body.data).toEqual({
    email,
    name: "Lea",
    organizationName: "Late Ltd",
    role: "Owner",
    kind: "SignUp",
  });
  const { rows } = await pool.query(
    `update person_links set expires_at = now() - interval '1 second' where email = $1
     returning extract(epoch from expires_at - created_at) as lifetime, token_hash as hash`,
    [email],
  );
  expect(JSON.stringify(rows)).not.toContain(token);
  expectRefusal(await browser.get(`/dashboard/registration?token=${token}`), "404/157");
  const form = { token, password: GOOD_PASSWORD };
  expectRefusal(await browser.post("/dashboard/registration", form), "404/157");
});

test("of two registrations with one link, one makes a person", async () => {
  const email = "twice@comer.example";
  const browsers = [await Browser.open(origin), await Browser.open(origin)];
  const form = { organizationName: "Twice Ltd", name: "Tim", email };
  await browsers[0]?.post("/dashboard/sign-up", form);
  const token = tokenIn(await linkTo(origin, email, "/registration?token="));
  const answers = await Promise.all(
    browsers.map((browser) =>
      browser.post("/dashboard/registration", { token, password: GOOD_PASSWORD }),
    ),
  );
  expect(answers.map(verdict).toSorted()).toEqual(["200/000", "404/157"]);
  const { rows } = await pool.query("select from organizations where name = 'Twice Ltd'");
  expect(rows).toHaveLength(1);
});

test("cookies are for this browser and this site alone", async () => {
  const { browser } = await signUp(origin, "cookies@jar.example");
  for (const name of ["florin-session", "florin-device"]) {
    const cookie = browser.setCookies.get(name) ?? "";
    expect(cookie).toMatch(/; Path=\//);
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; SameSite=Strict/);
    expect(browser.cookies.get(name)).toMatch(/^[\w-]{43}$/);
  }
  const { rows } = await pool.query("select token_hash as hash from person_sessions");
  const token = browser.cookies.get("florin-session") ?? "";
  expect(JSON.stringify(rows)).not.toContain(token);
});

test("every step of signing in gets a new session token", async () => {
  const person = await signUp(origin, "rotate@session.example");
  const browser = await halfIn(person);
  const half = browser.cookies.get("florin-session") ?? "";
  await browser.post("/dashboard/log-in/totp", { code: person.app.next() });
  const whole = browser.cookies.get("florin-session") ?? "";
  expect(whole).not.toBe(half);
  browser.cookies.set("florin-session", half);
  expect(await browser.me()).toMatchObject({ state: "None" });
});

test("what changes something needs the session's own CSRF token", async () => {
  const one = await signUp(origin, "csrf@forged.example", "Forgery Ltd");
  const { browser } = one;
  const good = browser.csrfToken;
  const foreign = (await Browser.open(origin)).csrfToken;
  for (const bad of ["", foreign, `${good}x`]) {
    browser.csrfToken = bad;
    expectRefusal(await browser.post("/dashboard/log-out"), "403/149");
    expectRefusal(
      await browser.post("/api/v1/simulator/wallets/deposits", { currency: "USD", amount: 1 }),
      "403/149",
    );
  }
  browser.csrfToken = good;
  for (const headers of [
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { origin: "https://evil.example" },
    { origin: "null" },
  ] as Record<string, string>[]) {
    expectRefusal(await browser.post("/dashboard/log-out", undefined, { headers }), "403/149");
  }
  expect(await browser.me()).toMatchObject({ state: "Full" });
  const headers = { "sec-fetch-site": "same-origin", origin };
  expect(verdict(await browser.post("/dashboard/log-out", undefined, { headers }))).toBe("200/000");
});

test("a sandbox on loopback is known by no other name", async () => {
  const { port } = new URL(origin);
  const { sendRaw } = await import("./harness/raw-http.ts");
  const ask = (host: string) =>
    sendRaw(origin, { method: "GET", target: "/dashboard/mailbox", headers: [["Host", host]] });
  expectRefusal(await ask(`rebound.example:${port}`), "403/149");
  expect((await ask(`localhost:${port}`)).status).toBe(200);
});

test("sessions are listed and ended, and end by themselves", async () => {
  const person = await signUp(origin, "sessions@list.example");
  const second = await halfIn(person);
  await second.post("/dashboard/log-in/totp", { code: person.app.next() });
  const { body } = await second.get("/dashboard/sessions");
  expect(body.data).toHaveLength(2);
  const other = body.data.find(({ current }: { current: boolean }) => !current);
  expect(other).toMatchObject({ address: "127.0.0.1", userAgent: expect.stringMatching(/./) });
  const path = `/dashboard/sessions/${other.sessionId}`;
  expect(verdict(await second.call("DELETE", path))).toBe("200/000");
  expectRefusal(await person.browser.get("/dashboard/people"), "401/146");
  expectRefusal(await second.call("DELETE", path), "404/157");

  const idle = "update person_sessions set last_seen_at = now() - interval '31 minutes'";
  await pool.query(`${idle} where state = 'Full'`);
  expectRefusal(await second.get("/dashboard/people"), "401/146");
  expect(await second.me()).toMatchObject({ state: "None" });
  expect(second.cookies.has("florin-session")).toBe(false);
});

test("a session ends however busy it is", async () => {
  const { browser } = await signUp(origin, "busy@session.example");
  const { rows } = await pool.query(
    `update person_sessions s set expires_at = now() - interval '1 second'
       from people p where p.person_id = s.person_id and p.email = 'busy@session.example'
     returning s.session_id`,
  );
  expect(rows).toHaveLength(1);
  expectRefusal(await browser.get("/dashboard/people"), "401/146");
});

test("a new password by the old one ends every other session", async () => {
  const person = await signUp(origin, "change@password.example");
  const other = await halfIn(person);
  await other.post("/dashboard/log-in/totp", { code: person.app.next() });
  const { browser } = person;
  const password = "Seven-brass-hinges-on-a-boat";
  const wrong = { currentPassword: "not it at all", password };
  expectRefusal(await browser.post("/dashboard/password", wrong), "400/131");
  const right = { currentPassword: person.password, password };
  expect(verdict(await browser.post("/dashboard/password", right))).toBe("200/000");
  expectRefusal(await other.get("/dashboard/people"), "401/146");
  expect(verdict(await browser.get("/dashboard/people"))).toBe("200/000");
  await browser.me();
  expect(verdict(await browser.post("/dashboard/log-out"))).toBe("200/000");
});

/** Opens a person's stream of events, and tells when it is over. */
async function streamOf({ browser }: SignedIn): Promise<{ isOver: boolean }> {
  const answer = await browser.fetch("GET", "/dashboard/live");
  expect(answer.status).toBe(200);
  const stream = { isOver: false };
  const over = (): void => {
    stream.isOver = true;
  };
  answer.text().then(over, over);
  return stream;
}

const NEW_PASSWORD = "Seven-brass-hinges-on-a-boat";

/** What ends a person's session; the owner has invited them. */
const endings: Record<string, (person: SignedIn, owner: SignedIn) => Promise<unknown>> = {
  "log-out": ({ browser }) => browser.post("/dashboard/log-out"),
  "its own end": async ({ browser }) => {
    const { body } = await browser.get("/dashboard/sessions");
    return browser.call("DELETE", `/dashboard/sessions/${body.data[0].sessionId}`);
  },
  "a new password": ({ browser, password }) =>
    browser.post("/dashboard/password", { currentPassword: password, password: NEW_PASSWORD }),
  "a reset": async ({ email }) => {
    const stranger = await Browser.open(origin);
    await stranger.post("/dashboard/password/forgotten", { email });
    const token = tokenIn(await linkTo(origin, email, "/reset?token="));
    return stranger.post("/dashboard/password/reset", { token, password: NEW_PASSWORD });
  },
  "new recovery codes": ({ browser, app }) =>
    browser.post("/dashboard/recovery-codes", { code: app.next() }),
  "a removal": async ({ browser }, owner) => {
    const { personId } = (await browser.me()).person;
    return owner.browser.call("DELETE", `/dashboard/people/${personId}`);
  },
};

test("a stream of events ends with its session, not with the next regular check", async () => {
  const owner = await signUp(origin, "owner@streams.example", "Streams Ltd");
  const others = await streamOf(owner);
  for (const [index, end] of Object.values(endings).entries()) {
    const person = await inviteAs(owner, "Viewer", `viewer${index}@streams.example`);
    const stream = await streamOf(person);
    expect(stream.isOver).toBe(false);
    expect(await end(person, owner)).toMatchObject({ status: 200 });
    // Every fifteen seconds each stream looks by itself.
    await until(`${Object.keys(endings)[index]} ends it`, () => stream.isOver, 8_000);
  }
  expect(others.isOver).toBe(false);
  await owner.browser.post("/dashboard/log-out");
});

test("long passwords count to their last character", async () => {
  const long = "correct horse battery staple ".repeat(40);
  expect(Buffer.byteLength(long)).toBeGreaterThan(1_000);
  const browser = await Browser.open(origin);
  const email = "long@password.example";
  await browser.post("/dashboard/sign-up", { organizationName: "Long", name: "Lo", email });
  const token = tokenIn(await linkTo(origin, email, "/registration?token="));
  const password = `${long}!`;
  expect(verdict(await browser.post("/dashboard/registration", { token, password }))).toBe(
    "200/000",
  );
  const again = await Browser.open(origin);
  const short = { email, password: `${long}?` };
  expectRefusal(await again.post("/dashboard/log-in", short), "401/146");
  expect((await again.post("/dashboard/log-in", { email, password })).body.data.state).toBe(
    "EnrolTotp",
  );
});

test("the second factor is set up once, and only with a right code", async () => {
  const browser = await Browser.open(origin);
  const email = "enrol@totp.example";
  await browser.post("/dashboard/sign-up", { organizationName: "Enrol", name: "En", email });
  const token = tokenIn(await linkTo(origin, email, "/registration?token="));
  await browser.post("/dashboard/registration", { token, password: GOOD_PASSWORD });
  expect(await browser.me()).toMatchObject({ state: "EnrolTotp" });
  const first = await browser.post("/dashboard/totp/enrolment");
  const { secret, uri, qrSvg } = first.body.data;
  expect(uri).toContain(`secret=${secret}`);
  expect(qrSvg).toMatch(/^<svg /);
  const second = await browser.post("/dashboard/totp/enrolment");
  expect(second.body.data.secret).toBe(secret);
  expectRefusal(await browser.post("/dashboard/totp/confirmation", { code: "000000" }), "400/131");
  const code = new Authenticator(secret).next();
  const confirmed = await browser.post("/dashboard/totp/confirmation", { code });
  expect(confirmed.body.data).toMatchObject({ state: "Full" });
  expectRefusal(await browser.post("/dashboard/totp/enrolment"), "401/146");
  const { rows } = await pool.query("select code_hash as hash from recovery_codes");
  for (const each of confirmed.body.data.recoveryCodes) {
    expect(JSON.stringify(rows)).not.toContain(each);
  }
});

test("who signs in, out, and in vain is on record", async () => {
  const person = await signUp(origin, "audited@person.example");
  const { browser, email } = person;
  await (await Browser.open(origin)).post(
    "/dashboard/log-in",
    { email, password: "wrong as can be" },
    from("203.0.113.50"),
  );
  let actions: string[] = [];
  await until("the failure is on record", async () => {
    const { body } = await browser.get("/dashboard/audit?limit=100");
    actions = body.data.map(({ action }: { action: string }) => action);
    return actions.includes("sign_in.failed");
  });
  expect(actions).toEqual(
    expect.arrayContaining(["organization.created", "person.registered", "totp.enrolled"]),
  );
  const { body } = await browser.get("/dashboard/audit?limit=1");
  expect(body.data).toMatchObject([
    { action: "sign_in.failed", address: "203.0.113.50", person: { name: "Nora Newcomer" } },
  ]);
  expect(JSON.stringify(body)).not.toContain("wrong as can be");
});
