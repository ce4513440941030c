import { expect, test } from "vitest";
import { expectRefusal, verdict } from "./harness/answers.ts";
import { Browser, GOOD_PASSWORD, inviteAs, linkTo, signUp, tokenIn } from "./harness/dashboard.ts";
import { dashboardService, from } from "./harness/dashboard-service.ts";
import { eventually, until } from "./harness/eventually.ts";
import { lockWaiters } from "./harness/lock-waiters.ts";

const desk = dashboardService();

test("a forgotten password is replaced by a link, and the second factor is still needed", async () => {
  const person = await signUp(desk.origin, "forgot@memory.example");
  const browser = await Browser.open(desk.origin);
  const { email } = person;
  expect((await browser.post("/dashboard/password/forgotten", { email })).body.data).toEqual({
    sent: true,
  });
  const token = tokenIn(await linkTo(desk.origin, email, "/reset?token="));
  const weak = await browser.post("/dashboard/password/reset", { token, password: "password1234" });
  expectRefusal(weak, "400/131");
  const password = "An-entirely-different-lantern";
  const reset = await browser.post("/dashboard/password/reset", { token, password });
  expect(reset.body.data).toMatchObject({ state: "Totp" });
  expectRefusal(await browser.post("/dashboard/password/reset", { token, password }), "404/157");
  // Whoever was signed in is signed out.
  expectRefusal(await person.browser.get("/dashboard/people"), "401/146");
  const code = await person.app.next();
  expect(verdict(await browser.post("/dashboard/log-in/totp", { code }))).toBe("200/000");
  const stranger = await Browser.open(desk.origin);
  const old = { email, password: person.password };
  expectRefusal(await stranger.post("/dashboard/log-in", old, from("203.0.113.77")), "401/146");
});

test("a reset link tells whether it works, without being used up, and nothing else", async () => {
  const owner = await signUp(desk.origin, "owner@dead-links.example", "Dead Links Ltd");
  const { browser: leaver, email } = await inviteAs(owner, "Viewer", "viewer@dead-links.example");
  const browser = await Browser.open(desk.origin);
  const look = (token: string) => browser.get(`/dashboard/password/reset?token=${token}`);
  const orderFor = async (address: string) => {
    const form = { email: address };
    await browser.post("/dashboard/password/forgotten", form, from("198.51.100.32"));
    return tokenIn(await linkTo(desk.origin, address, "/reset?token="));
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
  const { email } = await signUp(desk.origin, "flooded@letters.example");
  const stranger = await Browser.open(desk.origin);
  const form = { organizationName: "Flood Ltd", name: "Somebody", email };
  for (let i = 0; i < 6; i++) {
    await stranger.post("/dashboard/sign-up", form, from("198.51.100.30"));
  }
  await linkTo(desk.origin, email, "/log-in");
  const owner = await signUp(desk.origin, "inviter@letters.example", "Inviters Ltd");
  const invitation = { email, name: "Somebody", role: "Viewer" };
  for (let i = 0; i < 6; i++) await owner.browser.post("/dashboard/invitations", invitation);
  await stranger.post("/dashboard/password/forgotten", { email }, from("198.51.100.31"));
  expect(await linkTo(desk.origin, email, "/reset?token=")).toMatch(/token=./);
});

test("nobody gets letter after letter about a forgotten password, whoever orders them", async () => {
  const [email, other] = ["often@letters.example", "after@letters.example"];
  for (const each of [email, other]) await signUp(desk.origin, each);
  const browser = await Browser.open(desk.origin);
  const order = (to: string, address: string) =>
    browser.post("/dashboard/password/forgotten", { email: to }, from(address));
  for (let i = 0; i < 6; i++) {
    expect((await order(email, `198.51.100.5${i}`)).body.data).toEqual({ sent: true });
  }
  await order(other, "198.51.100.56");
  await linkTo(desk.origin, other, "/reset?token=");
  const isReset = (subject: string): boolean => subject.includes("new password");
  expect((await subjectsTo(email)).filter(isReset)).toHaveLength(4);
});

/** The subjects of the letters that somebody got, latest first. */
async function subjectsTo(email: string): Promise<string[]> {
  const { body } = await new Browser(desk.origin).get("/dashboard/mailbox");
  const letters = body.data as { to: string; subject: string }[];
  return letters.filter(({ to }) => to === email).map(({ subject }) => subject);
}

test("a new password ends the links that could choose another, and a letter tells of it", async () => {
  const person = await signUp(desk.origin, "relink@memory.example");
  const { browser, email } = person;
  await browser.post("/dashboard/password/forgotten", { email });
  const token = tokenIn(await linkTo(desk.origin, email, "/reset?token="));
  const change = { currentPassword: person.password, password: "Seven-brass-hinges-on-a-boat" };
  expect(verdict(await browser.post("/dashboard/password", change))).toBe("200/000");
  const thief = await Browser.open(desk.origin);
  const password = "An-entirely-different-lantern";
  expectRefusal(await thief.post("/dashboard/password/reset", { token, password }), "404/157");

  await browser.post("/dashboard/password/forgotten", { email });
  const fresh = await eventually("there is another link", async () => {
    const found = tokenIn(await linkTo(desk.origin, email, "/reset?token="));
    return found === token ? undefined : found;
  });
  const reset = await thief.post("/dashboard/password/reset", { token: fresh, password });
  expect(verdict(reset)).toBe("200/000");
  await until("both changes were told", async () => {
    const told = (await subjectsTo(email)).filter((subject) => /password .* changed/.test(subject));
    return told.length === 2;
  });
});

test("a log-in with the old password ends with it, even if it had been found right", async () => {
  const { email, password, browser: own } = await signUp(desk.origin, "racing@memory.example");
  const { personId } = (await own.me()).person;
  const browser = await Browser.open(desk.origin);
  const change = await desk.pool.connect();
  try {
    await change.query("begin");
    await change.query("update people set password_hash = 'another' where person_id = $1", [
      personId,
    ]);
    const logIn = browser.post("/dashboard/log-in", { email, password }, from("203.0.113.90"));
    const isWaiting = async () => (await lockWaiters(desk.pool)) === 1;
    await until("the log-in waits for the change", isWaiting);
    await change.query("commit");
    expectRefusal(await logIn, "401/146");
  } finally {
    change.release();
  }
});

test("a new password ends a second factor that nobody has confirmed", async () => {
  const email = "unconfirmed@memory.example";
  const thief = await Browser.open(desk.origin);
  const form = { organizationName: "Unconfirmed Ltd", name: "Uma", email };
  await thief.post("/dashboard/sign-up", form);
  const token = tokenIn(await linkTo(desk.origin, email, "/registration?token="));
  await thief.post("/dashboard/registration", { token, password: GOOD_PASSWORD });
  const seen = (await thief.post("/dashboard/totp/enrolment")).body.data.secret;

  const person = await Browser.open(desk.origin);
  await person.post("/dashboard/password/forgotten", { email });
  const reset = tokenIn(await linkTo(desk.origin, email, "/reset?token="));
  const password = "An-entirely-different-lantern";
  const answer = await person.post("/dashboard/password/reset", { token: reset, password });
  expect(answer.body.data).toMatchObject({ state: "EnrolTotp" });
  const { secret } = (await person.post("/dashboard/totp/enrolment")).body.data;
  expect(secret).toMatch(/^[A-Z2-7]{16,}$/);
  expect(secret).not.toBe(seen);
});

test("long passwords count to their last character", async () => {
  const long = "correct horse battery staple ".repeat(40);
  expect(Buffer.byteLength(long)).toBeGreaterThan(1_000);
  const browser = await Browser.open(desk.origin);
  const email = "long@password.example";
  await browser.post("/dashboard/sign-up", { organizationName: "Long", name: "Lo", email });
  const token = tokenIn(await linkTo(desk.origin, email, "/registration?token="));
  const password = `${long}!`;
  expect(verdict(await browser.post("/dashboard/registration", { token, password }))).toBe(
    "200/000",
  );
  const again = await Browser.open(desk.origin);
  const short = { email, password: `${long}?` };
  expectRefusal(await again.post("/dashboard/log-in", short), "401/146");
  expect((await again.post("/dashboard/log-in", { email, password })).body.data.state).toBe(
    "EnrolTotp",
  );
});
