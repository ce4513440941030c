import { setTimeout as pause } from "node:timers/promises";
import { TOTP } from "otpauth";
import type { ApiAnswer, SandboxFile } from "./api-client.ts";
import { newReference } from "./api-client.ts";
import { eventually } from "./eventually.ts";

const STEP_MS = 30_000;
/** How long a code still counts when it is given out: a request under way may take as long. */
const TYPING_MS = 10_000;

export interface BrowserCall {
  body?: unknown;
  headers?: Record<string, string>;
  reference?: string;
}

/** A person's browser, as far as the dashboard's server sees one: it keeps cookies and the CSRF token. */
export class Browser {
  readonly origin: string;
  readonly cookies = new Map<string, string>();
  /** The cookies as they were set last, with their attributes. */
  readonly setCookies = new Map<string, string>();
  csrfToken = "";

  constructor(origin: string) {
    this.origin = origin;
  }

  /** A browser that has opened the page. */
  static async open(origin: string): Promise<Browser> {
    const browser = new Browser(origin);
    await browser.me();
    return browser;
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  async me(): Promise<any> {
    const { body } = await this.get("/dashboard/me");
    this.csrfToken = body.data.csrfToken;
    return body.data;
  }

  get(path: string, call: BrowserCall = {}): Promise<ApiAnswer> {
    return this.call("GET", path, call);
  }

  post(path: string, body?: unknown, call: BrowserCall = {}): Promise<ApiAnswer> {
    return this.call("POST", path, { ...call, ...(body === undefined ? {} : { body }) });
  }

  async call(method: string, path: string, call: BrowserCall = {}): Promise<ApiAnswer> {
    const answer = await this.fetch(method, path, call);
    const text = await answer.text();
    const isJson = answer.headers.get("content-type")?.startsWith("application/json") === true;
    const body = isJson ? JSON.parse(text) : text;
    if (typeof body?.data?.csrfToken === "string") this.csrfToken = body.data.csrfToken;
    return { status: answer.status, headers: answer.headers, body };
  }

  async fetch(
    method: string,
    path: string,
    { body, headers = {}, reference = newReference() }: BrowserCall = {},
  ): Promise<Response> {
    const isWrite = method !== "GET";
    const answer = await fetch(this.origin + path, {
      method,
      redirect: "manual",
      headers: {
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(isWrite ? { "x-csrf-token": this.csrfToken, reference } : {}),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    this.#keepCookies(answer);
    return answer;
  }

  #keepCookies(answer: Response): void {
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.setCookies.set(name, line);
      if (value === "") this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

/** An authenticator app. Each of its codes is used once, as the dashboard wants it. */
export class Authenticator {
  readonly #totp: TOTP;
  #lastStep = 0;

  constructor(secret: string) {
    this.#totp = new TOTP({ secret, digits: 6, period: 30, algorithm: "SHA1" });
  }

  /** What it shows in this step, or so many steps later. */
  show(stepsLater = 0): string {
    return this.#totp.generate({ timestamp: Date.now() + stepsLater * STEP_MS });
  }

  /**
   * A code that was not used before and counts for a while yet. The step before this one counts as well, and
   * the one after it; for a code beyond those it waits.
   */
  async next(): Promise<string> {
    const oldest = stepAt(Date.now() + TYPING_MS) - 1;
    const step = Math.max(oldest, this.#lastStep + 1);
    this.#lastStep = step;
    await pause(Math.max(0, (step - 1) * STEP_MS - Date.now()));
    return this.#totp.generate({ timestamp: step * STEP_MS });
  }
}

const stepAt = (ms: number): number => Math.floor(ms / STEP_MS);

/** Somebody who is signed in. */
export interface SignedIn {
  browser: Browser;
  app: Authenticator;
  email: string;
  password: string;
  recoveryCodes: string[];
}

export const GOOD_PASSWORD = "Quietly-orbiting-teapot-91";

const expectOk = (answer: ApiAnswer, what: string): ApiAnswer => {
  if (answer.status !== 200) throw new Error(`${what}: ${JSON.stringify(answer.body)}`);
  return answer;
};

/** Logs the sandbox's owner in, from a new browser or a given one. */
export async function logInOwner(
  { dashboardUrl, dashboard: { email, password, totpSecret } }: SandboxFile,
  app = new Authenticator(totpSecret),
): Promise<SignedIn> {
  const browser = await Browser.open(dashboardUrl);
  expectOk(await browser.post("/dashboard/log-in", { email, password }), "log-in");
  expectOk(
    await browser.post("/dashboard/log-in/totp", { code: await app.next() }),
    "second factor",
  );
  return { browser, app, email, password, recoveryCodes: [] };
}

/** The link in the latest letter to somebody, once it is there. */
export function linkTo(origin: string, email: string, contains: string): Promise<string> {
  return eventually(`${email} gets a letter with ${contains}`, async () => {
    const browser = new Browser(origin);
    const { body } = await browser.get("/dashboard/mailbox");
    for (const { mailId, to } of body.data) {
      if (to !== email) continue;
      const mail = await browser.get(`/dashboard/mailbox/${mailId}`);
      const link = mail.body.data.links.find((url: string) => url.includes(contains));
      if (link !== undefined) return link as string;
    }
    return undefined;
  });
}

export const tokenIn = (link: string): string => new URL(link).searchParams.get("token") ?? "";

/** Registers with a link's token and sets up the second factor. */
export async function register(
  origin: string,
  email: string,
  token: string,
  password = GOOD_PASSWORD,
): Promise<SignedIn> {
  const browser = await Browser.open(origin);
  expectOk(await browser.post("/dashboard/registration", { token, password }), "registration");
  const enrolment = expectOk(await browser.post("/dashboard/totp/enrolment"), "enrolment");
  const app = new Authenticator(enrolment.body.data.secret);
  const code = await app.next();
  const confirmed = expectOk(await browser.post("/dashboard/totp/confirmation", { code }), "code");
  return { browser, app, email, password, recoveryCodes: confirmed.body.data.recoveryCodes };
}

/** From the form to the first page: a new organization with its owner. */
export async function signUp(
  origin: string,
  email: string,
  organizationName = "Newcomers Ltd",
): Promise<SignedIn> {
  const browser = await Browser.open(origin);
  const form = { organizationName, name: "Nora Newcomer", email };
  expectOk(await browser.post("/dashboard/sign-up", form), "sign-up");
  const link = await linkTo(origin, email, "/registration?token=");
  return register(origin, email, tokenIn(link));
}

/** Has an owner invite somebody, who accepts. */
export async function inviteAs(owner: SignedIn, role: string, email: string): Promise<SignedIn> {
  const { browser } = owner;
  const invitation = { email, name: `${role} Person`, role };
  expectOk(await browser.post("/dashboard/invitations", invitation), "invitation");
  const link = await linkTo(browser.origin, email, "/registration?token=");
  return register(browser.origin, email, tokenIn(link));
}

/** Logs somebody in on another browser, as far as the second factor. */
export async function halfIn({ browser, email, password }: SignedIn, call = {}): Promise<Browser> {
  const another = await Browser.open(browser.origin);
  const answer = await another.post("/dashboard/log-in", { email, password }, call);
  const { state } = expectOk(answer, `${email} logs in`).body.data;
  if (state !== "Totp") throw new Error(`${email} logs in and is asked for ${state}.`);
  return another;
}
