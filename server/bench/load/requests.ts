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
const TEMPLATE_LENGTH = 4;
const STAMP_LENGTH = REFERENCE_LENGTH + SIGNATURE_LENGTH + TEMPLATE_LENGTH;

interface Template {
  order: Order;
  bytes: Buffer;
  referenceAt: number;
  signatureAt: number;
}

/**
 * Requests that differ in Reference and Signature only, or are drawn at random from several orders. These
 * parts are kept apart from the rest, so that hundreds of thousands can be made in advance and each costs
 * one small copy when it is sent.
 */
export class SignedRequests {
  readonly #templates: Template[];
  #stamps = Buffer.alloc(0);
  #next = 0;

  constructor(orders: readonly Order[]) {
    this.#templates = orders.map(templateOf);
  }

  /** Room for any of the requests. */
  blank(): Buffer {
    return Buffer.alloc(Math.max(...this.#templates.map(({ bytes }) => bytes.length)));
  }

  sign(count: number): void {
    this.#stamps = Buffer.allocUnsafe(count * STAMP_LENGTH);
    this.#next = 0;
    for (let i = 0; i < count; i++) this.#write(i * STAMP_LENGTH);
  }

  /** Writes a request with a Reference that was never used before, and says how long it is. */
  stamp(request: Buffer): number {
    if (this.#next === this.#stamps.length) this.sign(1);
    const at = this.#next;
    const template = this.#templates[this.#stamps.readUInt32LE(at)];
    if (template === undefined) throw new Error("there is nothing to send");
    const { bytes, referenceAt, signatureAt } = template;
    const reference = at + TEMPLATE_LENGTH;
    const signature = reference + REFERENCE_LENGTH;
    this.#next = at + STAMP_LENGTH;
    bytes.copy(request);
    this.#stamps.copy(request, referenceAt, reference, signature);
    this.#stamps.copy(request, signatureAt, signature, this.#next);
    return bytes.length;
  }

  #write(at: number): void {
    const index = Math.floor(Math.random() * this.#templates.length);
    const { order } = this.#templates[index] as Template;
    const { method, clientId, clientSecret } = order;
    const reference = randomBytes((REFERENCE_LENGTH / 4) * 3).toString("base64url");
    const url = order.origin + order.path;
    this.#stamps.writeUInt32LE(index, at);
    this.#stamps.write(
      reference + sign(method, url, reference, clientId, clientSecret),
      at + TEMPLATE_LENGTH,
      "latin1",
    );
  }
}

function templateOf(order: Order): Template {
  const text = write(order);
  return {
    order,
    bytes: Buffer.from(text),
    referenceAt: text.indexOf("\r\nReference: ") + "\r\nReference: ".length,
    signatureAt: text.indexOf("\r\nSignature: ") + "\r\nSignature: ".length,
  };
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
