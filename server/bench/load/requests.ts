import { randomBytes } from "node:crypto";
import { sign } from "../../src/http/signature.ts";

/** A call of the API with all that is needed to sign it again and again. */
export interface Order {
  origin: string;
  method: string;
  path: string;
  body?: string;
  token: string;
  clientId: string;
  clientSecret: string;
  uniqueKey: string;
}

const REFERENCE_LENGTH = 20;
const SIGNATURE_LENGTH = 56;
const STAMP_LENGTH = REFERENCE_LENGTH + SIGNATURE_LENGTH;

/**
 * Requests that differ in Reference and Signature only. These are kept apart from the rest, so that
 * hundreds of thousands can be made in advance and each costs one small copy when it is sent.
 */
export class SignedRequests {
  readonly #order: Order;
  readonly #url: string;
  readonly #template: Buffer;
  readonly #referenceAt: number;
  readonly #signatureAt: number;
  #stamps = Buffer.alloc(0);
  #next = 0;

  constructor(order: Order) {
    this.#order = order;
    this.#url = order.origin + order.path;
    const text = write(order);
    this.#template = Buffer.from(text);
    this.#referenceAt = text.indexOf("\r\nReference: ") + "\r\nReference: ".length;
    this.#signatureAt = text.indexOf("\r\nSignature: ") + "\r\nSignature: ".length;
  }

  /** A request to be stamped before each use. */
  blank(): Buffer {
    return Buffer.from(this.#template);
  }

  sign(count: number): void {
    this.#stamps = Buffer.allocUnsafe(count * STAMP_LENGTH);
    this.#next = 0;
    for (let i = 0; i < count; i++) this.#stamps.write(this.#stamp(), i * STAMP_LENGTH, "latin1");
  }

  /** Gives a request a Reference that was never used before. */
  stamp(request: Buffer): void {
    if (this.#next === this.#stamps.length) this.sign(1);
    const middle = this.#next + REFERENCE_LENGTH;
    const end = this.#next + STAMP_LENGTH;
    this.#stamps.copy(request, this.#referenceAt, this.#next, middle);
    this.#stamps.copy(request, this.#signatureAt, middle, end);
    this.#next = end;
  }

  #stamp(): string {
    const { method, clientId, clientSecret } = this.#order;
    const reference = randomBytes((REFERENCE_LENGTH / 4) * 3).toString("base64url");
    return reference + sign(method, this.#url, reference, clientId, clientSecret);
  }
}

function write({ origin, method, path, body, token, clientId, uniqueKey }: Order): string {
  return [
    `${method} ${path} HTTP/1.1`,
    `Host: ${new URL(origin).host}`,
    `Authorization: Bearer ${token}`,
    `ServiceAuthorization: ServiceAuth ${Buffer.from(clientId).toString("base64")}`,
    `UniqueKey: ${uniqueKey}`,
    `Reference: ${"-".repeat(REFERENCE_LENGTH)}`,
    `Signature: ${"-".repeat(SIGNATURE_LENGTH)}`,
    ...(body === undefined
      ? []
      : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`]),
    "",
    body ?? "",
  ].join("\r\n");
}
