import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { describe, expect, test } from "vitest";
import { forgetEnded } from "../src/dashboard/forget.ts";
import { createLog } from "../src/foundation/log.ts";
import { startService } from "../src/service.ts";
import { readSetup } from "../src/setup.ts";
import { expectRefusal, fieldsOf, verdict } from "./harness/answers.ts";
import type { ApiAnswer } from "./harness/api-client.ts";
import {
  Browser,
  GOOD_PASSWORD,
  inviteAs,
  linkTo,
  logInOwner,
  type SignedIn,
  signUp,
  tokenIn,
} from "./harness/dashboard.ts";
import { dashboardService, from } from "./harness/dashboard-service.ts";
import { eventually } from "./harness/eventually.ts";

const desk = dashboardService();

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

test.each([
  ["NUL", "\0"],
  ["ESC", "\u001b"],
  ["a mark that turns text around", "\u202e"],
  ["a space of no width", "\u200b"],
  ["half a character", "\ud800"],
])("an address with %s in it is none", async (_what, sign) => {
  const email = `ada${sign}@unseen.example`;
  const browser = await Browser.open(desk.origin);
  const forms = {
    "/dashboard/log-in": { email, password: GOOD_PASSWORD },
    "/dashboard/password/forgotten": { email },
    "/dashboard/sign-up": { organizationName: "Unseen", name: "Ada", email },
  };
  for (const [path, form] of Object.entries(forms)) {
    const answer = await browser.post(path, form);
    expectRefusal(answer, "400/131");
    expect(fieldsOf(answer)).toEqual(["email"]);
  }
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

test("once sign-up is closed, its links found nothing, and invitations still work", async () => {
  const owner = await logInOwner(desk.service.sandbox);
  const orderAs = async (browser: Browser, path: string, email: string, form: object) => {
    const body = { ...form, email, name: "Late" };
    expect(verdict(await browser.post(path, body, from("198.51.100.173")))).toBe("200/000");
    return tokenIn(await linkTo(desk.origin, email, "/registration?token="));
  };
  const signUpToken = await orderAs(
    await Browser.open(desk.origin),
    "/dashboard/sign-up",
    "late@closing.example",
    { organizationName: "Late Ltd" },
  );
  const invitationToken = await orderAs(
    owner.browser,
    "/dashboard/invitations",
    "guest@closing.example",
    { role: "Viewer" },
  );

  const environment = { ...desk.service.environment, FLORIN_SIGN_UP: "0" };
  const closed = await startService(await readSetup(environment), createLog({ level: "silent" }));
  try {
    const browser = await Browser.open(closed.addresses.dashboard);
    const password = GOOD_PASSWORD;
    const link = `/dashboard/registration?token=${signUpToken}`;
    const answers = [
      await browser.get(link),
      await browser.post("/dashboard/registration", { token: signUpToken, password }),
    ];
    for (const refused of answers) {
      expectRefusal(refused, "403/149");
      expect(refused.body.responseMessage).toMatch(/Sign-up is closed/);
    }
    const accepted = { token: invitationToken, password };
    expect(verdict(await browser.post("/dashboard/registration", accepted))).toBe("200/000");
  } finally {
    await closed.stop();
  }
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
