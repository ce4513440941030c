import { afterAll, beforeAll, expect, test } from "vitest";
import { verdict } from "./harness/answers.ts";
import type { ApiAnswer } from "./harness/api-client.ts";
import { halfIn, linkTo, type SignedIn, signUp, tokenIn } from "./harness/dashboard.ts";
import { dashboardService, from } from "./harness/dashboard-service.ts";
import { approve, Decider } from "./harness/decider.ts";

const desk = dashboardService();
let decider: Decider;
beforeAll(async () => {
  decider = await Decider.start();
  decider.answer = approve;
});
afterAll(() => decider.stop());

const NEW_PASSWORD = "Seven-brass-hinges-on-a-boat";
const RESET_PASSWORD = "An-entirely-different-lantern";
const invitation = { email: "guest@audit.example", name: "Guest", role: "Viewer" };
const managed = () => ({
  model: "CustomerManaged",
  authorizationUrl: `${decider.url}?key=a-secret-of-theirs`,
  defaultAuthorizationDecision: "AutoDecline",
});

type Deed = (person: SignedIn) => Promise<ApiAnswer>;

/** What somebody does, in order, and the entries that it leaves. */
const deeds: [entries: string[], deed: Deed][] = [
  [["person.invited"], ({ browser }) => browser.post("/dashboard/invitations", invitation)],
  [
    ["person.uninvited"],
    async ({ browser }) => {
      const [{ invitationId }] = (await browser.get("/dashboard/invitations")).body.data;
      return browser.call("DELETE", `/dashboard/invitations/${invitationId}`);
    },
  ],
  [
    ["person.role_changed"],
    async ({ browser }) => {
      const { personId } = (await browser.me()).person;
      return browser.call("PATCH", `/dashboard/people/${personId}`, { body: { role: "Owner" } });
    },
  ],
  [["credentials.revealed"], ({ browser }) => browser.post("/dashboard/credentials/reveal")],
  [
    ["credentials.rotated"],
    ({ browser }) => browser.post("/dashboard/credentials/rotate", { overlapHours: 1 }),
  ],
  [
    ["credentials.signing_secret_rotated"],
    ({ browser }) =>
      browser.post("/dashboard/credentials/signing-secret/rotate", { overlapHours: 1 }),
  ],
  [
    ["credentials.scopes_changed"],
    ({ browser }) =>
      browser.call("PUT", "/dashboard/credentials/scopes", {
        body: { defaultScopes: ["CardAPIs"] },
      }),
  ],
  [
    ["settings.card_authorization_changed"],
    ({ browser }) =>
      browser.call("PUT", "/api/v1/settings/card-authorization", { body: managed() }),
  ],
  [["authorization_url.tested"], ({ browser }) => browser.post("/dashboard/authorization-test")],
  [
    ["listTransactions.exported"],
    ({ browser }) => browser.get("/api/v1/transactions", { headers: { accept: "text/csv" } }),
  ],
  [
    ["recovery_code.used", "signed_in"],
    async (person) => {
      const other = await halfIn(person);
      const [recoveryCode] = person.recoveryCodes;
      return other.post("/dashboard/log-in/totp", { recoveryCode }, from("192.0.2.7"));
    },
  ],
  [
    ["session.ended"],
    async ({ browser }) => {
      const { data } = (await browser.get("/dashboard/sessions")).body;
      const other = data.find(({ current }: { current: boolean }) => !current);
      return browser.call("DELETE", `/dashboard/sessions/${other.sessionId}`);
    },
  ],
  [
    ["sign_in.failed", "password.changed"],
    async ({ browser, password: currentPassword }) => {
      const change = { currentPassword, password: NEW_PASSWORD };
      await browser.post("/dashboard/password", { ...change, currentPassword: "wrong as can be" });
      return browser.post("/dashboard/password", change);
    },
  ],
  [["signed_out"], ({ browser }) => browser.post("/dashboard/log-out")],
  [
    ["password.reset"],
    async ({ browser, email }) => {
      await browser.me();
      await browser.post("/dashboard/password/forgotten", { email });
      const token = tokenIn(await linkTo(desk.origin, email, "/reset?token="));
      return browser.post("/dashboard/password/reset", { token, password: RESET_PASSWORD });
    },
  ],
  [
    ["signed_in"],
    async ({ browser, app }) => browser.post("/dashboard/log-in/totp", { code: await app.next() }),
  ],
];

test("whatever people do about themselves, each other and their clients is on record", async () => {
  const person = await signUp(desk.origin, "owner@audit.example", "Audit Ltd");
  const { personId } = (await person.browser.me()).person;
  for (const [entries, deed] of deeds) {
    expect(verdict(await deed(person)), entries.join()).toMatch(/^200/);
  }
  const { data } = (await person.browser.get("/dashboard/audit?limit=100")).body;
  const found = data.toReversed() as { action: string; person: object; address: string }[];
  const begun = found.findIndex(({ action }) => action === "totp.enrolled");
  const since = found.slice(begun + 1);
  expect(since.map(({ action }) => action)).toEqual(deeds.flatMap(([entries]) => entries));
  for (const entry of since) {
    expect(entry).toMatchObject({ person: { personId }, address: expect.stringMatching(/./) });
  }
  expect(since.find(({ action }) => action === "recovery_code.used")?.address).toBe("192.0.2.7");
  expect(JSON.stringify(data)).toContain(new URL(decider.url).origin);
  expect(JSON.stringify(data)).not.toContain("a-secret-of-theirs");
});

test("what somebody makes is named, although no path names it", async () => {
  const { browser } = await signUp(desk.origin, "maker@audit.example", "Makers Ltd");
  const made = async (path: string, body: object) =>
    (await browser.post(`/api/v1${path}`, body)).body.data;
  const address = { street: "1 Marina Road", city: "Lagos", state: "Lagos", country: "NG" };
  const named = { firstName: "Ada", lastName: "Obi", address };
  const wallet = await made("/simulator/wallets/deposits", { currency: "USD", amount: 50 });
  const { kycToken, customerId } = await made("/kyc/individual", {
    clientReference: "maker",
    individualKyc: { idType: "BVN", idNumber: "22222222222", ...named },
  });
  const card = await made("/cards/retail", { customerId, initialBalance: 20 });
  const other = await made("/cards/retail", { customerId });
  const transfer = await made("/cards/transfers", {
    sourceCardId: card.cardId,
    beneficiaryCardId: other.cardId,
    amount: 1,
  });
  const endpoint = await made("/webhook-endpoints", { url: "https://hooks.example/" });
  const { data } = (await browser.get("/dashboard/audit?limit=6")).body;
  expect(data.toReversed().map(({ subject }: { subject: string }) => subject)).toEqual([
    wallet.walletId,
    kycToken,
    card.cardId,
    other.cardId,
    transfer.transactionId,
    endpoint.webhookEndpointId,
  ]);
});

test("a card number that somebody puts into a path is not kept", async () => {
  const { browser } = await signUp(desk.origin, "number@audit.example", "Numbers Ltd");
  await browser.post("/api/v1/cards/4111111111111111/freeze");
  const { data } = (await browser.get("/dashboard/audit?limit=1")).body;
  expect(data).toMatchObject([{ action: "freezeCard", outcome: { code: "112" } }]);
  expect(JSON.stringify(data)).not.toContain("41111111");
});

test("what the database does not take in a path is no way past the record, nor a fault", async () => {
  const { browser } = await signUp(desk.origin, "nul@audit.example");
  expect(verdict(await browser.post("/api/v1/cards/card_%00/freeze"))).toBe("400/112");
  expect(verdict(await browser.post("/api/v1/events/%00%01/resend"))).toBe("404/157");
  const { data } = (await browser.get("/dashboard/audit?limit=2")).body;
  expect(data).toMatchObject([
    { action: "resendEvent", subject: "\ufffd\ufffd", outcome: { code: "157" } },
    { action: "freezeCard", subject: "card_\ufffd", outcome: { code: "112" } },
  ]);
});
