import { expect, test } from "vitest";
import { expectRefusal, verdict } from "./harness/answers.ts";
import {
  Authenticator,
  Browser,
  GOOD_PASSWORD,
  halfIn,
  linkTo,
  logInOwner,
  signUp,
  tokenIn,
} from "./harness/dashboard.ts";
import { dashboardService, from } from "./harness/dashboard-service.ts";
import { until } from "./harness/eventually.ts";

const desk = dashboardService();

test("a newcomer logs in with what sandbox.json says", async () => {
  const { browser } = await logInOwner(desk.service.sandbox);
  expect(await browser.me()).toMatchObject({
    state: "Full",
    environment: "sandbox",
    person: { email: desk.service.sandbox.dashboard.email, role: "Owner" },
    organization: { name: "Sandbox" },
    addresses: { api: desk.service.sandbox.apiUrl, identity: desk.service.sandbox.identityUrl },
  });
  const wallets = await browser.get("/api/v1/wallets");
  expect(wallets.body.data).toMatchObject([{ currency: "USD", balance: 100_000 }]);
});

test("without a session the API's features are closed, on this listener too", async () => {
  const browser = await Browser.open(desk.origin);
  expectRefusal(await browser.get("/api/v1/wallets"), "401/146");
  expectRefusal(await browser.get("/api/v1/nothing"), "401/146");
  const { client } = desk.service;
  const headers = await client.headers("GET", `${desk.service.sandbox.apiUrl}/api/v1/wallets`);
  // The five headers are the API's own way in, not this one's.
  expectRefusal(await browser.get("/api/v1/wallets", { headers }), "401/146");
  expectRefusal(await browser.post("/api/v1/simulator/wallets/deposits", {}), "401/146");
});

test("half a session opens nothing but its second half", async () => {
  const person = await signUp(desk.origin, "half@halves.example");
  const browser = await halfIn(person);
  expect(await browser.me()).not.toHaveProperty("person");
  for (const path of ["/api/v1/wallets", "/dashboard/people", "/dashboard/home?days=7"]) {
    expectRefusal(await browser.get(path), "401/146");
  }
  expectRefusal(await browser.post("/dashboard/totp/enrolment"), "401/146");
});

test("wrong passwords and unknown addresses are told in the same words", async () => {
  const { email } = desk.service.sandbox.dashboard;
  const browser = await Browser.open(desk.origin);
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
  const person = await signUp(desk.origin, "code@once.example");
  const [one, other] = [await halfIn(person), await halfIn(person)];
  const code = await person.app.next();
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
  const person = await signUp(desk.origin, "recover@lost.example");
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
  const person = await signUp(desk.origin, "victim@guessed.example");
  const attacker = await Browser.open(desk.origin);
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
  const person = await signUp(desk.origin, "parallel@guessed.example");
  const { email } = person;
  const attacker = await Browser.open(desk.origin);
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

test("a browser that somebody else has signed in from is a stranger's", async () => {
  const { browser } = await signUp(desk.origin, "insider@guessed.example");
  const { email } = await signUp(desk.origin, "target@guessed.example");
  const guess = { email, password: "a guess that is wrong" };
  const verdicts: string[] = [];
  for (let i = 0; i < 15; i++) {
    verdicts.push(verdict(await browser.post("/dashboard/log-in", guess, from("198.51.100.9"))));
  }
  // Its own person has twenty.
  expect(verdicts.at(-1)).toBe("429/170");
});

test("codes are throttled by account, from however many addresses they come", async () => {
  const person = await signUp(desk.origin, "codes@guessed.example");
  const verdicts = new Set<string>();
  for (let i = 0; i < 10; i++) {
    const address = from(`198.51.100.${100 + i}`);
    const browser = await halfIn(person, address);
    const answer = await browser.post("/dashboard/log-in/totp", { code: "000000" }, address);
    verdicts.add(verdict(answer));
  }
  expect(verdicts).toEqual(new Set(["401/146", "429/170"]));
});

test("cookies are for this browser and this site alone", async () => {
  const { browser } = await signUp(desk.origin, "cookies@jar.example");
  for (const name of ["florin-session", "florin-device"]) {
    const cookie = browser.setCookies.get(name) ?? "";
    expect(cookie).toMatch(/; Path=\//);
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; SameSite=Strict/);
    expect(browser.cookies.get(name)).toMatch(/^[\w-]{43}$/);
  }
  const { rows } = await desk.pool.query("select token_hash as hash from person_sessions");
  const token = browser.cookies.get("florin-session") ?? "";
  expect(JSON.stringify(rows)).not.toContain(token);
});

test("every step of signing in gets a new session token", async () => {
  const person = await signUp(desk.origin, "rotate@session.example");
  const browser = await halfIn(person);
  const half = browser.cookies.get("florin-session") ?? "";
  await browser.post("/dashboard/log-in/totp", { code: await person.app.next() });
  const whole = browser.cookies.get("florin-session") ?? "";
  expect(whole).not.toBe(half);
  browser.cookies.set("florin-session", half);
  expect(await browser.me()).toMatchObject({ state: "None" });
});

test("what changes something needs the session's own CSRF token", async () => {
  const one = await signUp(desk.origin, "csrf@forged.example", "Forgery Ltd");
  const { browser } = one;
  const good = browser.csrfToken;
  const foreign = (await Browser.open(desk.origin)).csrfToken;
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
  const headers = { "sec-fetch-site": "same-origin", origin: desk.origin };
  expect(verdict(await browser.post("/dashboard/log-out", undefined, { headers }))).toBe("200/000");
});

test("a sandbox on loopback is known by no other name", async () => {
  const { port } = new URL(desk.origin);
  const { sendRaw } = await import("./harness/raw-http.ts");
  const ask = (host: string) =>
    sendRaw(desk.origin, {
      method: "GET",
      target: "/dashboard/mailbox",
      headers: [["Host", host]],
    });
  expectRefusal(await ask(`rebound.example:${port}`), "403/149");
  expect((await ask(`localhost:${port}`)).status).toBe(200);
});

test("the second factor is set up once, and only with a right code", async () => {
  const browser = await Browser.open(desk.origin);
  const email = "enrol@totp.example";
  await browser.post("/dashboard/sign-up", { organizationName: "Enrol", name: "En", email });
  const token = tokenIn(await linkTo(desk.origin, email, "/registration?token="));
  await browser.post("/dashboard/registration", { token, password: GOOD_PASSWORD });
  expect(await browser.me()).toMatchObject({ state: "EnrolTotp" });
  const first = await browser.post("/dashboard/totp/enrolment");
  const { secret, uri, qrSvg } = first.body.data;
  expect(uri).toContain(`secret=${secret}`);
  expect(qrSvg).toMatch(/^<svg /);
  const second = await browser.post("/dashboard/totp/enrolment");
  expect(second.body.data.secret).toBe(secret);
  expectRefusal(await browser.post("/dashboard/totp/confirmation", { code: "000000" }), "400/131");
  const code = await new Authenticator(secret).next();
  const confirmed = await browser.post("/dashboard/totp/confirmation", { code });
  expect(confirmed.body.data).toMatchObject({ state: "Full" });
  expectRefusal(await browser.post("/dashboard/totp/enrolment"), "401/146");
  const { rows } = await desk.pool.query("select code_hash as hash from recovery_codes");
  for (const each of confirmed.body.data.recoveryCodes) {
    expect(JSON.stringify(rows)).not.toContain(each);
  }
});

test("codes are counted while the second factor is set up, too", async () => {
  const browser = await Browser.open(desk.origin);
  const email = "guessing@totp.example";
  await browser.post("/dashboard/sign-up", { organizationName: "Guess", name: "Gu", email });
  const token = tokenIn(await linkTo(desk.origin, email, "/registration?token="));
  await browser.post("/dashboard/registration", { token, password: GOOD_PASSWORD });
  await browser.post("/dashboard/totp/enrolment");
  const verdicts = new Set<string>();
  for (let i = 0; i < 12; i++) {
    const answer = await browser.post("/dashboard/totp/confirmation", { code: "000000" });
    verdicts.add(verdict(answer));
  }
  expect(verdicts).toEqual(new Set(["400/131", "429/170"]));
});

test("who signs in, out, and in vain is on record", async () => {
  const person = await signUp(desk.origin, "audited@person.example");
  const { browser, email } = person;
  await (await Browser.open(desk.origin)).post(
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
