import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { describe, expect, test } from "vitest";
import { forgetEnded } from "../src/dashboard/forget.ts";
import { expectRefusal, verdict } from "./harness/answers.ts";
import type { ApiAnswer } from "./harness/api-client.ts";
import {
  Browser,
  GOOD_PASSWORD,
  inviteAs,
  linkTo,
  type SignedIn,
  signUp,
  tokenIn,
} from "./harness/dashboard.ts";
import { dashboardService, from } from "./harness/dashboard-service.ts";
import { eventually, until } from "./harness/eventually.ts";

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

test.each<[string, (owner: Browser, path: string) => Promise<ApiAnswer>]>([
  ["is removed", (owner, path) => owner.call("DELETE", path)],
  [
    "may not invite any more",
    (owner, path) => owner.call("PATCH", path, { body: { role: "Support" } }),
  ],
])("who %s has invited nobody who is yet to come", async (what, change) => {
  const company = `${what.replaceAll(" ", "-")}.example`;
  const owner = await signUp(desk.origin, `first@${company}`, company);
  const second = await inviteAs(owner, "Owner", `second@${company}`);
  const email = `accomplice@${company}`;
  const invitation = { email, name: "Accomplice", role: "Owner" };
  await second.browser.post("/dashboard/invitations", invitation);
  const token = tokenIn(await linkTo(desk.origin, email, "/registration?token="));
  const { personId } = (await second.browser.me()).person;
  expect(verdict(await change(owner.browser, `/dashboard/people/${personId}`))).toBe("200/000");
  const browser = await Browser.open(desk.origin);
  const form = { token, password: GOOD_PASSWORD };
  expectRefusal(await browser.post("/dashboard/registration", form), "404/157");
});

test("who is removed while a request of theirs is still coming invites nobody", async () => {
  const owner = await signUp(desk.origin, "first@slow-body.example", "Slow Bodies Ltd");
  const { browser } = await inviteAs(owner, "Owner", "second@slow-body.example");
  const body = JSON.stringify({ email: "late@slow-body.example", name: "Late", role: "Owner" });
  const coming = request(`${desk.origin}/dashboard/invitations`, {
    method: "POST",
    headers: {
      cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      "x-csrf-token": browser.csrfToken,
      "content-type": "application/json",
      "content-length": body.length,
    },
  });
  const answered = once(coming, "response");
  coming.write(body.slice(0, 10));
  const { personId } = (await browser.me()).person;
  const path = `/dashboard/people/${personId}`;
  expect(verdict(await owner.browser.call("DELETE", path))).toBe("200/000");
  coming.end(body.slice(10));
  const [{ statusCode }] = (await answered) as [IncomingMessage];
  expect([401, 403]).toContain(statusCode);
  expect((await owner.browser.get("/dashboard/invitations")).body.data).toEqual([]);
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
    await until("the log-in waits for the change", async () => {
      const { rowCount } = await desk.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rowCount === 1;
    });
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

test("nobody hears whether an address is known", async () => {
  const browser = await Browser.open(desk.origin);
  const email = "unknown@nowhere.example";
  const forgotten = await browser.post("/dashboard/password/forgotten", { email });
  expect(forgotten.body.data).toEqual({ sent: true });
  // A known address gets a letter that says so, instead of a link.
  const known = desk.service.sandbox.dashboard.email;
  const form = { organizationName: "Again", name: "Somebody", email: known };
  expect((await browser.post("/dashboard/sign-up", form)).body.data).toEqual({ sent: true });
  expect(await linkTo(desk.origin, known, "/log-in")).toBe(`${desk.origin}/log-in`);
  const { body } = await browser.get("/dashboard/mailbox");
  expect(body.data.map(({ to }: { to: string }) => to)).not.toContain(email);
});

test("a link has an end", async () => {
  const browser = await Browser.open(desk.origin);
  const email = "late@comer.example";
  await browser.post("/dashboard/sign-up", { organizationName: "Late Ltd", name: "Lea", email });
  const token = tokenIn(await linkTo(desk.origin, email, "/registration?token="));
  expect((await browser.get(`/dashboard/registration?token=${token}`)).body.data).toEqual({
    email,
    name: "Lea",
    organizationName: "Late Ltd",
    role: "Owner",
    kind: "SignUp",
  });
  const { rows } = await desk.pool.query(
    `update person_links set expires_at = now() - interval '1 second' where email = $1
     returning extract(epoch from expires_at - created_at) as lifetime, token_hash as hash`,
    [email],
  );
  expect(JSON.stringify(rows)).not.toContain(token);
  expectRefusal(await browser.get(`/dashboard/registration?token=${token}`), "404/157");
  const form = { token, password: GOOD_PASSWORD };
  expectRefusal(await browser.post("/dashboard/registration", form), "404/157");
});

test("a weak password makes no person, and does not use the link up", async () => {
  const browser = await Browser.open(desk.origin);
  const email = "weak@comer.example";
  const form = { organizationName: "Lighthouse Keepers", name: "Will", email };
  await browser.post("/dashboard/sign-up", form);
  const token = tokenIn(await linkTo(desk.origin, email, "/registration?token="));
  for (const password of ["password1234", "Quiet-Lighthouse-teapot-91"]) {
    const refused = await browser.post("/dashboard/registration", { token, password });
    expectRefusal(refused, "400/131");
    expect(refused.body.errors).toMatchObject([{ field: "password" }]);
  }
  const good = await browser.post("/dashboard/registration", { token, password: GOOD_PASSWORD });
  expect(verdict(good)).toBe("200/000");
});

test("of two registrations with one link, one makes a person", async () => {
  const email = "twice@comer.example";
  const browsers = [await Browser.open(desk.origin), await Browser.open(desk.origin)];
  const form = { organizationName: "Twice Ltd", name: "Tim", email };
  await browsers[0]?.post("/dashboard/sign-up", form);
  const token = tokenIn(await linkTo(desk.origin, email, "/registration?token="));
  const answers = await Promise.all(
    browsers.map((browser) =>
      browser.post("/dashboard/registration", { token, password: GOOD_PASSWORD }),
    ),
  );
  expect(answers.map(verdict).toSorted()).toEqual(["200/000", "404/157"]);
  const { rows } = await desk.pool.query("select from organizations where name = 'Twice Ltd'");
  expect(rows).toHaveLength(1);
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

test("links work for as long as their letters say", async () => {
  const owner = await signUp(desk.origin, "owner@hours.example", "Hours Ltd");
  const { browser, email } = owner;
  const invitation = { email: "guest@hours.example", name: "Guest", role: "Viewer" };
  await browser.post("/dashboard/invitations", invitation);
  await browser.post("/dashboard/password/forgotten", { email });
  await linkTo(desk.origin, email, "/reset?token=");
  const { rows } = await desk.pool.query(
    `select kind, extract(epoch from expires_at - created_at)::float8 / 3600 as hours
       from person_links where email like '%@hours.example' order by kind`,
  );
  expect(rows).toEqual([
    { kind: "Invitation", hours: 24 },
    { kind: "Reset", hours: 1 },
    { kind: "SignUp", hours: 24 },
  ]);
});

test("of several letters the latest counts", async () => {
  const browser = await Browser.open(desk.origin);
  const owner = await signUp(desk.origin, "owner@latest.example", "Latest Ltd");
  const signUpForm = { organizationName: "Impatient", name: "Im", email: "im@latest.example" };
  const invitation = { email: "guest@latest.example", name: "Guest", role: "Viewer" };
  const reset = { email: owner.email };
  const orders: [email: string, link: string, order: () => Promise<unknown>][] = [
    [
      signUpForm.email,
      "registration",
      () => browser.post("/dashboard/sign-up", signUpForm, from("198.51.100.40")),
    ],
    [
      invitation.email,
      "registration",
      () => owner.browser.post("/dashboard/invitations", invitation),
    ],
    [
      owner.email,
      "password/reset",
      () => browser.post("/dashboard/password/forgotten", reset, from("198.51.100.40")),
    ],
  ];
  for (const [email, path, order] of orders) {
    const contains = `/${path.split("/").at(-1)}?token=`;
    const look = (token: string) => browser.get(`/dashboard/${path}?token=${token}`);
    await order();
    const first = tokenIn(await linkTo(desk.origin, email, contains));
    await order();
    const second = await eventually("there is another link", async () => {
      const found = tokenIn(await linkTo(desk.origin, email, contains));
      return found === first ? undefined : found;
    });
    expectRefusal(await look(first), "404/157");
    expect(verdict(await look(second))).toBe("200/000");
  }
});

test("whoever orders letter after letter is stopped, whomever they are for", async () => {
  const browser = await Browser.open(desk.origin);
  const address = from("198.51.100.41");
  const verdicts: string[] = [];
  for (let i = 0; i < 36; i++) {
    const email = `unknown${i}@flood.example`;
    const form = { organizationName: "Flood", name: "Somebody", email };
    const answer =
      i % 2 === 0
        ? await browser.post("/dashboard/sign-up", form, address)
        : await browser.post("/dashboard/password/forgotten", { email }, address);
    verdicts.push(verdict(answer));
  }
  expect(new Set(verdicts.slice(0, 30))).toEqual(new Set(["200/000"]));
  expect(new Set(verdicts.slice(-4))).toEqual(new Set(["429/170"]));
  const email = "unknown@flood.example";
  const other = from("198.51.100.42");
  const answer = await browser.post("/dashboard/password/forgotten", { email }, other);
  expect(verdict(answer)).toBe("200/000");
});

test("an address belongs to one person, whoever has invited it", async () => {
  const owners = [
    await signUp(desk.origin, "owner@first.example", "First Ltd"),
    await signUp(desk.origin, "owner@second.example", "Second Ltd"),
  ];
  const email = "wanted@both.example";
  const tokens: string[] = [];
  for (const { browser } of owners) {
    await browser.post("/dashboard/invitations", { email, name: "Wanted", role: "Viewer" });
    const token = await eventually("there is a link of this one", async () => {
      const found = tokenIn(await linkTo(desk.origin, email, "/registration?token="));
      return tokens.includes(found) ? undefined : found;
    });
    tokens.push(token);
  }
  const browser = await Browser.open(desk.origin);
  const registered: string[] = [];
  for (const token of tokens) {
    const form = { token, password: GOOD_PASSWORD };
    registered.push(verdict(await browser.post("/dashboard/registration", form)));
  }
  expect(registered).toEqual(["200/000", "404/157"]);
});

describe("invitations", () => {
  /** Open ones to as many others. */
  const open = (organizationId: string, count: number) =>
    desk.pool.query(
      `insert into person_links (link_id, kind, token_hash, organization_id, email, name, role, created_at,
         expires_at)
       select $1 || n, 'Invitation', $1 || n, $1, n || '@open.example', 'Somebody', 'Viewer', now(),
              now() + interval '1 hour' from generate_series(1, $2::int) n`,
      [organizationId, count],
    );
  const invitation = { email: "one-more@full.example", name: "One More", role: "Viewer" };
  const invite = async ({ browser }: SignedIn) =>
    verdict(await browser.post("/dashboard/invitations", invitation));

  test("are open to a hundred at once", async () => {
    const owner = await signUp(desk.origin, "owner@hundred.example", "Hundred Ltd");
    const { organizationId } = (await owner.browser.me()).organization;
    await open(organizationId, 100);
    expect(await invite(owner)).toBe("422/119");
    await desk.pool.query("update person_links set used_at = now() where link_id = $1 || '1'", [
      organizationId,
    ]);
    expect(await invite(owner)).toBe("200/000");
  });

  test("end when five hundred people belong to an organization, or would", async () => {
    const owner = await signUp(desk.origin, "owner@crowd.example", "Crowd Ltd");
    const { organizationId } = (await owner.browser.me()).organization;
    await desk.pool.query(
      `insert into people (organization_id, person_id, email, name, role, password_hash, created_at)
       select $1, 'per_crowd' || n, n || '@crowd.example', 'Somebody', 'Viewer', '', now()
         from generate_series(1, 496) n`,
      [organizationId],
    );
    await open(organizationId, 3);
    expect(await invite(owner)).toBe("422/119");
    await desk.pool.query("update people set removed_at = now() where person_id = 'per_crowd1'");
    expect(await invite(owner)).toBe("200/000");
    const { body } = await owner.browser.get("/dashboard/people");
    expect(body.data).toHaveLength(496);
  });
});

test("links that ended a month ago are forgotten", async () => {
  const kept = async () => {
    const { rows } = await desk.pool.query(
      `select email from person_links where email like '%@month.example' order by email`,
    );
    return rows.map(({ email }) => email);
  };
  await desk.pool.query(
    `insert into person_links (link_id, kind, token_hash, organization_name, email, name, role, created_at,
       expires_at)
     select 'lnk_month' || days, 'SignUp', 'month' || days, 'Month', days || '@month.example', 'Somebody',
            'Owner', now(), now() - days * interval '1 day' from unnest(array[1, 29, 31]) days`,
  );
  await forgetEnded(desk.pool, { sessionIdleS: 3_600 });
  expect(await kept()).toEqual(["1@month.example", "29@month.example"]);
});
