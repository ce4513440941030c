import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectRefusal, verdict } from "./harness/answers.ts";
import { Browser, register, tokenIn } from "./harness/dashboard.ts";
import { eventually } from "./harness/eventually.ts";
import {
  PUBLIC_DASHBOARD_URL,
  startTestProduction,
  type TestProduction,
} from "./harness/production.ts";
import { startTestService } from "./harness/service.ts";

/** A mail server of our own, that keeps what it is handed. */
class MailServer {
  readonly letters: { from: string; to: string[]; text: string }[] = [];
  readonly #server: SMTPServer;

  constructor() {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      onData: (stream, { envelope }, callback) => {
        let text = "";
        stream.setEncoding("utf8");
        stream.on("data", (chunk: string) => {
          text += chunk;
        });
        stream.on("end", () => {
          const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
          this.letters.push({ from, to: envelope.rcptTo.map(({ address }) => address), text });
          callback();
        });
      },
    });
  }

  async listen(): Promise<string> {
    const server = this.#server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** The link in a letter to somebody, as its text has it. */
  linkTo(email: string): Promise<string> {
    return eventually(`${email} gets a letter`, () => {
      const letter = this.letters.find(({ to }) => to.includes(email));
      // Long lines are folded, and an equals sign is written as its code.
      const text = letter?.text.replace(/=\r\n/g, "").replace(/=3D/g, "=");
      return /https:\/\/\S+\?token=[\w-]+/.exec(text ?? "")?.[0];
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(resolve));
  }
}

let mail: MailServer;
let production: TestProduction;
beforeAll(async () => {
  mail = new MailServer();
  production = await startTestProduction({
    FLORIN_SMTP_URL: await mail.listen(),
    FLORIN_MAIL_SENDER: "Cards <cards@issuer.example>",
    FLORIN_SIGN_UP: "1",
  });
});
afterAll(async () => {
  await production.stop();
  await mail.close();
});

test("letters go out by SMTP, and their links lead to the public address", async () => {
  const email = "ceo@real.example";
  const browser = await Browser.open(production.dashboardOrigin);
  const form = { organizationName: "Real <Business>", name: "Rhea", email };
  expect(verdict(await browser.post("/dashboard/sign-up", form))).toBe("200/000");
  const link = await mail.linkTo(email);
  expect(link.startsWith(`${PUBLIC_DASHBOARD_URL}/registration?token=`)).toBe(true);
  const [letter] = mail.letters;
  expect(letter).toMatchObject({ from: "cards@issuer.example", to: [email] });
  // Its markup must not be what somebody has called themselves.
  expect(letter?.text.replace(/=\r\n/g, "")).toContain("Real &lt;Business&gt;");

  const { browser: own } = await register(production.dashboardOrigin, email, tokenIn(link));
  expect(await own.me()).toMatchObject({
    state: "Full",
    environment: "production",
    organization: { name: "Real <Business>" },
  });
  // Whether an organization may decide for itself is the operator's business here.
  const body = {
    model: "CustomerManaged",
    authorizationUrl: "https://example.com/",
    defaultAuthorizationDecision: "AutoDecline",
  };
  expectRefusal(await own.call("PUT", "/api/v1/settings/card-authorization", { body }), "403/149");
  expectRefusal(await own.post("/api/v1/simulator/wallets/deposits", {}), "404/157");

  const cookie = own.setCookies.get("__Host-florin-session") ?? "";
  for (const attribute of ["Path=/", "HttpOnly", "SameSite=Strict", "Secure"]) {
    expect(cookie).toContain(`; ${attribute}`);
  }
  expect(cookie).not.toContain("Domain");
});

test.each(["mailbox", "clock"])("there is no %s to look at", async (what) => {
  const browser = await Browser.open(production.dashboardOrigin);
  expectRefusal(await browser.get(`/dashboard/${what}`), "404/157");
});

test("every answer says how browsers must treat it", async () => {
  const browser = await Browser.open(production.dashboardOrigin);
  const undecodable = ["/dashboard/%zz", "/api/v1/%zz"];
  for (const path of [
    "/",
    "/dashboard/me",
    "/api/v1/wallets",
    "/dashboard/nothing",
    ...undecodable,
  ]) {
    const { headers } = await browser.get(path);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("script-src 'self';");
    for (const directive of ["frame-ancestors", "object-src", "base-uri"]) {
      expect(policy).toContain(`${directive} 'none'`);
    }
    expect(policy).toContain("form-action 'self'");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("permissions-policy")).toContain("camera=()");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("strict-transport-security")).toMatch(/^max-age=\d{7,}/);
    if (path !== "/") expect(headers.get("cache-control")).toBe("no-store");
  }
});

test("a path is the same path however it is written", async () => {
  const browser = await Browser.open(production.dashboardOrigin);
  for (const path of ["/%64ashboard/me", "/dashboar%64/me", "/%61pi/v1/wallets"]) {
    const { headers } = await browser.fetch("GET", path);
    expect(headers.get("cache-control"), path).toBe("no-store");
  }
});

test("without a mail server nobody is told that a letter was sent", async () => {
  const silent = await startTestProduction({ FLORIN_SIGN_UP: "1" });
  try {
    const browser = await Browser.open(silent.dashboardOrigin);
    const form = { organizationName: "Mute", name: "Mo", email: "mo@mute.example" };
    const refused = await browser.post("/dashboard/sign-up", form);
    expectRefusal(refused, "403/149");
    expect(refused.body.responseMessage).toMatch(/Mail is not set up/);
    const { email } = form;
    expectRefusal(await browser.post("/dashboard/password/forgotten", { email }), "403/149");
  } finally {
    await silent.stop();
  }
});

test("nobody signs up unless the operator lets them", async () => {
  const closed = await startTestProduction({
    FLORIN_SMTP_URL: "smtp://127.0.0.1:9",
    FLORIN_MAIL_SENDER: "cards@issuer.example",
  });
  try {
    const browser = await Browser.open(closed.dashboardOrigin);
    const form = { organizationName: "Closed", name: "Clo", email: "clo@closed.example" };
    expectRefusal(await browser.post("/dashboard/sign-up", form), "403/149");
  } finally {
    await closed.stop();
  }
});

test("a sandbox with a mail server shows nobody the letters", async () => {
  const sandbox = await startTestService({
    FLORIN_SMTP_URL: "smtp://127.0.0.1:9",
    FLORIN_MAIL_SENDER: "cards@issuer.example",
  });
  try {
    const browser = await Browser.open(sandbox.sandbox.dashboardUrl);
    expectRefusal(await browser.get("/dashboard/mailbox"), "404/157");
    expect(await browser.me()).toMatchObject({ environment: "sandbox", hasMailbox: false });
  } finally {
    await sandbox.stop();
  }
});
