import { once } from "node:events";
import { request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { newReference } from "./harness/api-client.ts";
import { type Browser, halfIn, inviteAs, linkTo, signUp, tokenIn } from "./harness/dashboard.ts";
import { dashboardService } from "./harness/dashboard-service.ts";
import { until } from "./harness/eventually.ts";
import { lockWaiters } from "./harness/lock-waiters.ts";

const desk = dashboardService();

/** Long enough for the service to have looked at the headers. */
const LOOKED_AT_MS = 300;
const NEW_PASSWORD = "Seven-brass-hinges-on-a-boat";

/** Sends all of a request but its last byte, then what happens meanwhile, then that byte. Gives the status. */
async function during(
  { origin, cookies, csrfToken }: Browser,
  [method, path, body]: [method: string, path: string, body: object],
  meanwhile: () => Promise<unknown>,
): Promise<number | undefined> {
  const content = JSON.stringify(body);
  const sent = request(origin + path, {
    method,
    headers: {
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      "x-csrf-token": csrfToken,
      reference: newReference(),
      "content-type": "application/json",
      "content-length": content.length,
    },
  });
  sent.write(content.slice(0, -1));
  await pause(LOOKED_AT_MS);
  await meanwhile();
  sent.end(content.slice(-1));
  const [answer] = await once(sent, "response");
  answer.resume();
  return answer.statusCode;
}

test("who is no longer an owner when the body is there does not become one again", async () => {
  const owner = await signUp(desk.origin, "owner@slow.example", "Slow Ltd");
  const other = await inviteAs(owner, "Owner", "other@slow.example");
  const { personId } = (await other.browser.me()).person;
  const path = `/dashboard/people/${personId}`;
  const demote = () => owner.browser.call("PATCH", path, { body: { role: "Viewer" } });
  expect(await during(other.browser, ["PATCH", path, { role: "Owner" }], demote)).toBe(403);
  expect((await other.browser.me()).person.role).toBe("Viewer");
});

test("nor does a request to the API, once its role has none", async () => {
  const owner = await signUp(desk.origin, "owner@slowapi.example", "Slow API Ltd");
  const other = await inviteAs(owner, "Developer", "other@slowapi.example");
  const { personId } = (await other.browser.me()).person;
  const endpoint = { url: "https://receiver.example/hooks" };
  const demote = () =>
    owner.browser.call("PATCH", `/dashboard/people/${personId}`, { body: { role: "Viewer" } });
  const call: [string, string, object] = ["POST", "/api/v1/webhook-endpoints", endpoint];
  expect(await during(other.browser, call, demote)).toBe(403);
});

test("a second factor that comes after a reset of the password opens nothing", async () => {
  const person = await signUp(desk.origin, "person@slow.example");
  const { email } = person;
  const half = await halfIn(person);
  const code = await person.app.next();
  const reset = async () => {
    await person.browser.post("/dashboard/password/forgotten", { email });
    const token = tokenIn(await linkTo(desk.origin, email, "/reset?token="));
    return person.browser.post("/dashboard/password/reset", { token, password: NEW_PASSWORD });
  };
  expect(await during(half, ["POST", "/dashboard/log-in/totp", { code }], reset)).toBe(401);
});

test("a password that another one has replaced meanwhile sets none", async () => {
  const person = await signUp(desk.origin, "replaced@slow.example");
  const { browser, password } = person;
  const another = await desk.pool.connect();
  try {
    await another.query("begin");
    await another.query("update people set password_hash = 'another one' where email = $1", [
      person.email,
    ]);
    const change = browser.post("/dashboard/password", {
      currentPassword: password,
      password: NEW_PASSWORD,
    });
    // By then the old one was found right, and the new one is hashed.
    await until("it waits to be set", async () => (await lockWaiters(desk.pool)) === 1);
    await another.query("commit");
    expect((await change).status).toBe(400);
  } finally {
    another.release();
  }
  const { rows } = await desk.pool.query("select password_hash from people where email = $1", [
    person.email,
  ]);
  expect(rows[0].password_hash).toBe("another one");
});
