import { base64OfBytes, bytesOfBase64, utf8 } from "../encoding.ts";
import { WebhookVerificationError } from "../errors.ts";

const PREFIX = "whsec_";
const MAX_SIGNATURES = 20;
const MAX_SECRETS = 10;
const DEFAULT_TOLERANCE_S = 300;

/** Headers in any of the forms in which servers give them. */
export type HeadersLike =
  | { get(name: string): string | null }
  | Record<string, string | string[] | undefined>;

/** A body as it arrived. */
export type RawBody = string | Uint8Array | ArrayBuffer;

export interface VerifyOptions {
  /** How many seconds the message may be old, or ahead of our clock. 300 unless given. */
  toleranceS?: number | undefined;
  /** Instead of the real time. */
  now?: Date | undefined;
}

export interface Signable {
  /** The `webhook-id`. */
  id: string;
  /** When it is sent. */
  at: Date;
  secret: string;
}

/** Gives the payload's text if one of the secrets has signed it just now, and throws otherwise. */
export async function verifySignature(
  payload: RawBody,
  headers: HeadersLike,
  secrets: string | readonly string[],
  { toleranceS = DEFAULT_TOLERANCE_S, now = new Date() }: VerifyOptions = {},
): Promise<string> {
  expectRaw(payload);
  const [id, timestamp, signatures] = [
    header(headers, "webhook-id"),
    header(headers, "webhook-timestamp"),
    header(headers, "webhook-signature"),
  ];
  checkTime(timestamp, toleranceS, now);
  const text = typeof payload === "string" ? payload : new TextDecoder().decode(payload);
  const signed = bytesToSign(id, timestamp, payload);
  const candidates = signaturesOf(signatures);
  const keys = await Promise.all(listOf(secrets).map((secret) => keyOf(secret, "verify")));
  // crypto.subtle.verify compares in constant time.
  const verdicts = await Promise.all(
    keys.flatMap((key) =>
      candidates.map((candidate) => crypto.subtle.verify("HMAC", key, candidate, signed)),
    ),
  );
  if (verdicts.includes(true)) return text;
  throw new WebhookVerificationError("No signature matches.");
}

/** The three headers of a message, for tests of a receiver. */
export async function signPayload(
  payload: RawBody,
  { id, at, secret }: Signable,
): Promise<Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>> {
  expectRaw(payload);
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const key = await keyOf(secret, "sign");
  const signature = await crypto.subtle.sign("HMAC", key, bytesToSign(id, timestamp, payload));
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${base64OfBytes(new Uint8Array(signature))}`,
  };
}

/** What a framework has parsed is no longer what was signed. */
function expectRaw(payload: unknown): void {
  if (typeof payload === "string" || ArrayBuffer.isView(payload)) return;
  if (Object.prototype.toString.call(payload) === "[object ArrayBuffer]") return;
  throw new TypeError("The body must be given as it arrived, as text or bytes, not parsed.");
}

function header(headers: HeadersLike, name: string): string {
  const value = isHeaders(headers) ? headers.get(name) : fieldOf(headers, name);
  if (typeof value === "string" && value !== "") return value;
  throw new WebhookVerificationError(`The header ${name} is missing, or is there twice.`);
}

function isHeaders(headers: HeadersLike): headers is { get(name: string): string | null } {
  return typeof headers.get === "function";
}

function fieldOf(headers: Record<string, string | string[] | undefined>, name: string): unknown {
  const found = Object.entries(headers).filter(([key]) => key.toLowerCase() === name);
  return found.length === 1 ? found[0]?.[1] : undefined;
}

function checkTime(timestamp: string, toleranceS: number, now: Date): void {
  const sentS = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  const ageS = now.getTime() / 1000 - sentS;
  if (Math.abs(ageS) <= toleranceS) return;
  if (Number.isNaN(sentS)) throw new WebhookVerificationError("webhook-timestamp is no number.");
  throw new WebhookVerificationError(
    `The message is too ${ageS > 0 ? "old" : "far in the future"}: is the clock right?`,
  );
}

function bytesToSign(id: string, timestamp: string, payload: RawBody): Uint8Array<ArrayBuffer> {
  const head = utf8(`${id}.${timestamp}.`);
  const body = bytesIn(payload);
  const all = new Uint8Array(head.length + body.length);
  all.set(head);
  all.set(body, head.length);
  return all;
}

function bytesIn(payload: RawBody): Uint8Array {
  if (typeof payload === "string") return utf8(payload);
  return ArrayBuffer.isView(payload) ? payload : new Uint8Array(payload);
}

/** The header has one or more signatures, such as `v1,abc v1,def`; other versions are not for us. */
function signaturesOf(value: string): Uint8Array<ArrayBuffer>[] {
  return value
    .split(" ")
    .slice(0, MAX_SIGNATURES)
    .flatMap((entry) => {
      const bytes = entry.startsWith("v1,") ? bytesOfBase64(entry.slice(3)) : undefined;
      return bytes === undefined ? [] : [bytes];
    });
}

/** Throws unless each could have signed something. */
export function checkSecrets(secrets: string | readonly string[]): void {
  for (const secret of listOf(secrets)) bytesOf(secret);
}

function listOf(secrets: string | readonly string[]): readonly string[] {
  const list = typeof secrets === "string" ? [secrets] : (secrets ?? []);
  if (list.length > 0 && list.length <= MAX_SECRETS) return list;
  throw new TypeError(`From 1 to ${MAX_SECRETS} webhook secrets are needed.`);
}

function bytesOf(secret: string): Uint8Array<ArrayBuffer> {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  const bytes = bytesOfBase64(text);
  if (bytes === undefined || bytes.length === 0)
    throw new TypeError("A webhook secret is whsec_ and Base64.");
  return bytes;
}

function keyOf(secret: string, use: "sign" | "verify") {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.importKey("raw", bytesOf(secret), algorithm, false, [use]);
}
