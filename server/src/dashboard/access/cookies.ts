import type { CookieSerializeOptions } from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Addresses } from "../../http/addresses.ts";

/** Browsers keep a cookie for at most 400 days. */
const DEVICE_S = 400 * 86_400;
const MAX_TOKEN_LENGTH = 100;

type Name = "session" | "device";

/**
 * The dashboard's two cookies: who is signed in, and which browser this is. Over https their names carry
 * the prefix that makes browsers refuse them from anywhere but this very host.
 */
export class Cookies {
  readonly #addresses: Addresses;

  constructor(addresses: Addresses) {
    this.#addresses = addresses;
  }

  read(request: FastifyRequest, name: Name): string | undefined {
    const value = cookiesOf(request)[this.#nameOf(name)];
    return value === undefined || value === "" || value.length > MAX_TOKEN_LENGTH
      ? undefined
      : value;
  }

  set(reply: FastifyReply, name: Name, token: string): void {
    const lifetime = name === "device" ? { maxAge: DEVICE_S } : {};
    reply.setCookie(this.#nameOf(name), token, { ...this.#options, ...lifetime });
  }

  clear(reply: FastifyReply, name: Name): void {
    reply.clearCookie(this.#nameOf(name), this.#options);
  }

  get #isSecure(): boolean {
    return this.#addresses.dashboard.startsWith("https://");
  }

  get #options(): CookieSerializeOptions {
    return { path: "/", httpOnly: true, sameSite: "strict", secure: this.#isSecure };
  }

  #nameOf(name: Name): string {
    return this.#isSecure ? `__Host-florin-${name}` : `florin-${name}`;
  }
}

/** Nobody has read those of a request whose path cannot be decoded. */
const cookiesOf = ({ cookies, headers, server }: FastifyRequest) =>
  (cookies as typeof cookies | undefined) ?? server.parseCookie(headers.cookie ?? "");
