import { createHash, randomBytes } from "node:crypto";

/** What sandbox.json holds. */
export interface SandboxFile {
  apiUrl: string;
  identityUrl: string;
  dashboardUrl: string;
  clientId: string;
  clientSecret: string;
  uniqueKey: string;
  webhookSecret: string;
  dashboard: { email: string; password: string; totpSecret: string };
}

export interface ApiAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  body: any;
}

export interface CallOptions {
  reference?: string;
  /** Sent as JSON, or as it is when it is a string. */
  body?: unknown;
  /** Replaces a header, or drops it when undefined. */
  headers?: Record<string, string | undefined>;
  signal?: AbortSignal;
}

/**
 * A client written from the documentation, not from the server's code: if both agree, a stranger's
 * client will too.
 */
export class ApiClient {
  readonly sandbox: SandboxFile;
  #token: Promise<string> | undefined;

  constructor(sandbox: SandboxFile) {
    this.sandbox = sandbox;
  }

  get(path: string, options: CallOptions = {}): Promise<ApiAnswer> {
    return this.call("GET", path, options);
  }

  post(path: string, body: unknown, options: CallOptions = {}): Promise<ApiAnswer> {
    return this.call("POST", path, { ...options, body });
  }

  async call(method: string, path: string, options: CallOptions = {}): Promise<ApiAnswer> {
    const url = `${this.sandbox.apiUrl}/api/v1${path}`;
    const headers = await this.headers(method, url, options);
    const body =
      options.body === undefined || typeof options.body === "string"
        ? options.body
        : JSON.stringify(options.body);
    const init: RequestInit = { method, headers, body: (body as string | undefined) ?? null };
    if (options.signal !== undefined) init.signal = options.signal;
    const answer = await fetch(url, init);
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      body: text === "" ? undefined : JSON.parse(text),
    };
  }

  async headers(
    method: string,
    url: string,
    options: CallOptions = {},
  ): Promise<Record<string, string>> {
    const { clientId, uniqueKey } = this.sandbox;
    const reference = options.reference ?? newReference();
    const all: Record<string, string | undefined> = {
      Authorization:
        options.headers && "Authorization" in options.headers ? "" : `Bearer ${await this.token()}`,
      ServiceAuthorization: `ServiceAuth ${Buffer.from(clientId).toString("base64")}`,
      UniqueKey: uniqueKey,
      Reference: reference,
      Signature: this.sign(method, url, reference),
      ...(options.body === undefined ? {} : { "Content-Type": "application/json" }),
      ...options.headers,
    };
    return Object.fromEntries(
      Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
  }

  sign(method: string, url: string, reference: string): string {
    const { clientId, clientSecret } = this.sandbox;
    const text = [method, encodeURIComponent(url), reference, clientId, clientSecret].join("&");
    const hex = createHash("sha1").update(text).digest("hex");
    return Buffer.from(hex).toString("base64");
  }

  token(): Promise<string> {
    this.#token ??= this.requestToken().then(({ body }) => body.access_token);
    return this.#token;
  }

  forgetToken(): void {
    this.#token = undefined;
  }

  async requestToken(
    form: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<ApiAnswer> {
    const { identityUrl, clientId, clientSecret } = this.sandbox;
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
    const answer = await fetch(`${identityUrl}/connect/token`, {
      method: "POST",
      headers: { Authorization: `Basic ${basic}`, ...headers },
      body: new URLSearchParams({ grant_type: "client_credentials", ...form }),
    });
    return { status: answer.status, headers: answer.headers, body: await answer.json() };
  }
}

/** As the samples of the interface make them: 20 random characters. */
export const newReference = (): string => randomBytes(15).toString("base64url");
