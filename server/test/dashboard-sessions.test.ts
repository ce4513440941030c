import { expect, test } from "vitest";
import { forgetEnded } from "../src/dashboard/forget.ts";
import { expectRefusal, verdict } from "./harness/answers.ts";
import {
  Browser,
  halfIn,
  inviteAs,
  linkTo,
  type SignedIn,
  signUp,
  tokenIn,
} from "./harness/dashboard.ts";
import { dashboardService } from "./harness/dashboard-service.ts";
import { until } from "./harness/eventually.ts";

const desk = dashboardService();

test("sessions are listed and ended, and end by themselves", async () => {
  const person = await signUp(desk.origin, "sessions@list.example");
  const second = await halfIn(person);
  await second.post("/dashboard/log-in/totp", { code: await person.app.next() });
  const { body } = await second.get("/dashboard/sessions");
  expect(body.data).toHaveLength(2);
  const other = body.data.find(({ current }: { current: boolean }) => !current);
  expect(other).toMatchObject({ address: "127.0.0.1", userAgent: expect.stringMatching(/./) });
  const path = `/dashboard/sessions/${other.sessionId}`;
  expect(verdict(await second.call("DELETE", path))).toBe("200/000");
  expectRefusal(await person.browser.get("/dashboard/people"), "401/146");
  expectRefusal(await second.call("DELETE", path), "404/157");

  const idle = "update person_sessions set last_seen_at = now() - interval '31 minutes'";
  await desk.pool.query(`${idle} where state = 'Full'`);
  expectRefusal(await second.get("/dashboard/people"), "401/146");
  expect(await second.me()).toMatchObject({ state: "None" });
  expect(second.cookies.has("florin-session")).toBe(false);
});

test("a session ends however busy it is", async () => {
  const { browser } = await signUp(desk.origin, "busy@session.example");
  const { rows } = await desk.pool.query(
    `update person_sessions s set expires_at = now() - interval '1 second'
       from people p where p.person_id = s.person_id and p.email = 'busy@session.example'
     returning s.session_id`,
  );
  expect(rows).toHaveLength(1);
  expectRefusal(await browser.get("/dashboard/people"), "401/146");
});

test("a new password by the old one ends every other session", async () => {
  const person = await signUp(desk.origin, "change@password.example");
  const other = await halfIn(person);
  await other.post("/dashboard/log-in/totp", { code: await person.app.next() });
  const { browser } = person;
  const password = "Seven-brass-hinges-on-a-boat";
  const wrong = { currentPassword: "not it at all", password };
  expectRefusal(await browser.post("/dashboard/password", wrong), "400/131");
  const weak = { currentPassword: person.password, password: "password1234" };
  expectRefusal(await browser.post("/dashboard/password", weak), "400/131");
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
    const stranger = await Browser.open(desk.origin);
    await stranger.post("/dashboard/password/forgotten", { email });
    const token = tokenIn(await linkTo(desk.origin, email, "/reset?token="));
    return stranger.post("/dashboard/password/reset", { token, password: NEW_PASSWORD });
  },
  "new recovery codes": async ({ browser, app }) =>
    browser.post("/dashboard/recovery-codes", { code: await app.next() }),
  "a removal": async ({ browser }, owner) => {
    const { personId } = (await browser.me()).person;
    return owner.browser.call("DELETE", `/dashboard/people/${personId}`);
  },
};

test("a stream of events ends with its session, not with the next regular check", async () => {
  const owner = await signUp(desk.origin, "owner@streams.example", "Streams Ltd");
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

/** The session of a person, as it is kept. */
async function keptSession(email: string) {
  const { rows } = await desk.pool.query(
    `select s.state, extract(epoch from s.expires_at - s.created_at)::float8 as "lifetimeS",
            extract(epoch from now() - s.last_seen_at)::float8 as "idleS"
       from person_sessions s join people p using (organization_id, person_id) where p.email = $1
      order by s.created_at desc`,
    [email],
  );
  return rows;
}

test("a session lasts twelve hours, and half of one fifteen minutes", async () => {
  const person = await signUp(desk.origin, "lasting@session.example");
  await halfIn(person);
  expect(await keptSession(person.email)).toMatchObject([
    { state: "Totp", lifetimeS: 15 * 60 },
    { state: "Full", lifetimeS: 12 * 3600 },
  ]);
});

test("whoever is busy stays signed in", async () => {
  const { browser, email } = await signUp(desk.origin, "staying@session.example");
  await desk.pool.query(
    `update person_sessions s set last_seen_at = now() - interval '29 minutes'
       from people p where p.person_id = s.person_id and p.email = $1`,
    [email],
  );
  expect(verdict(await browser.get("/dashboard/people"))).toBe("200/000");
  const [{ idleS }] = await keptSession(email);
  expect(idleS).toBeLessThan(29 * 60);
});

test("nobody sees or ends a colleague's session", async () => {
  const owner = await signUp(desk.origin, "owner@colleagues.example", "Colleagues Ltd");
  const { browser } = await inviteAs(owner, "Viewer", "viewer@colleagues.example");
  const [own, ...others] = (await browser.get("/dashboard/sessions")).body.data;
  expect([own.current, others]).toEqual([true, []]);
  const path = `/dashboard/sessions/${own.sessionId}`;
  expectRefusal(await owner.browser.call("DELETE", path), "404/157");
  expect(await browser.me()).toMatchObject({ state: "Full" });
});

test("sessions that are over are forgotten", async () => {
  const [over, live] = [
    await signUp(desk.origin, "over@session.example"),
    await signUp(desk.origin, "live@session.example"),
  ];
  await desk.pool.query(
    `update person_sessions s set expires_at = now() - interval '1 second'
       from people p where p.person_id = s.person_id and p.email = $1`,
    [over.email],
  );
  await forgetEnded(desk.pool, { sessionIdleS: 1_800 });
  expect(await keptSession(over.email)).toEqual([]);
  expect(await keptSession(live.email)).toHaveLength(1);
});
