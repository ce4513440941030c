import { createHmac, createSecretKey, type KeyObject } from "node:crypto";

const PREFIX = "whsec_";

/** Signs messages as Standard Webhooks has it, version 1: HMAC-SHA256 over their id, time and body. */
export class Signer {
  readonly #key: KeyObject;

  constructor(secret: string) {
    const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
    this.#key = createSecretKey(encoded, "base64");
    if (this.#key.symmetricKeySize === 0) throw new Error("A secret to sign with is empty.");
  }

  sign(id: string, at: Date, body: string): string {
    const seconds = Math.floor(at.getTime() / 1000);
    const signature = createHmac("sha256", this.#key).update(`${id}.${seconds}.${body}`);
    return `v1,${signature.digest("base64")}`;
  }
}
