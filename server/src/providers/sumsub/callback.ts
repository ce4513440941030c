import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { CallbackHeaders, CallbackReading } from "../../customers/port.ts";
import { isId } from "../../foundation/ids.ts";
import { isApplicantId } from "./applicants.ts";
import { outcomeOf, Review } from "./words.ts";

/**
 * Sumsub repeats an undelivered call-back after 5 minutes, 1, 5 and 18 hours, with the time of the
 * first. So a day and an hour is the shortest window that loses none.
 */
export const CALLBACK_WINDOW_MS = 25 * 3_600_000;
/** How far its clock may be ahead of ours. */
const MAX_AHEAD_MS = 5 * 60_000;

/** SHA-1 is also on offer there, for old customers. We have none. */
const digestAlgorithms: ReadonlyMap<string, string> = new Map([
  ["HMAC_SHA256_HEX", "sha256"],
  ["HMAC_SHA512_HEX", "sha512"],
]);

const Callback = Review.extend({
  applicantId: z.string(),
  externalUserId: z.string().optional(),
  type: z.string(),
  createdAtMs: z.union([z.string(), z.number()]),
});

/** Those that say where a review stands. What else happens to an applicant there is nothing to us. */
const reviewTypes: ReadonlySet<string> = new Set([
  "applicantPending",
  "applicantPrechecked",
  "applicantOnHold",
  "applicantReviewed",
  "applicantWorkflowCompleted",
]);

export function readSumsubCallback(
  webhookSecret: string,
  rawBody: Buffer,
  headers: CallbackHeaders,
  now: Date,
): CallbackReading {
  if (!isAuthentic(webhookSecret, rawBody, headers)) return refused("BAD_SIGNATURE");
  const { success, data: callback } = Callback.safeParse(parseJson(rawBody));
  if (!success) return refused("MALFORMED");
  const createdAtMs = readTime(callback.createdAtMs);
  if (createdAtMs === undefined) return refused("MALFORMED");
  const ageMs = now.getTime() - createdAtMs;
  if (ageMs > CALLBACK_WINDOW_MS || ageMs < -MAX_AHEAD_MS) return refused("TOO_OLD");
  const { applicantId: providerId, externalUserId: kycToken = "", type } = callback;
  // One account may serve other applications as well; their applicants have other ids.
  if (!reviewTypes.has(type) || !isId("kyc", kycToken) || !isApplicantId(providerId)) {
    return { kind: "Ignored" };
  }
  return { kind: "Outcome", providerId, kycToken, outcome: outcomeOf(callback) };
}

function isAuthentic(secret: string, rawBody: Buffer, headers: CallbackHeaders): boolean {
  const algorithm = digestAlgorithms.get(
    header(headers, "x-payload-digest-alg") ?? "HMAC_SHA256_HEX",
  );
  const given = header(headers, "x-payload-digest");
  // An empty secret would let anyone sign.
  if (algorithm === undefined || given === undefined || secret === "") return false;
  const expected = createHmac(algorithm, secret).update(rawBody).digest("hex");
  const givenBytes = Buffer.from(given.toLowerCase(), "latin1");
  const expectedBytes = Buffer.from(expected, "latin1");
  return givenBytes.length === expectedBytes.length && timingSafeEqual(givenBytes, expectedBytes);
}

function header(headers: CallbackHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}

const UTC_TIME = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d{1,3})?)(?:Z|\+0000|\+00:00)?$/;

/** `2021-05-14 16:00:25.032`, in UTC without saying so. */
function readTime(time: string | number): number | undefined {
  if (typeof time === "number") return time;
  const [, date, timeOfDay] = UTC_TIME.exec(time) ?? [];
  const ms = Date.parse(`${date}T${timeOfDay}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

function refused(reason: "BAD_SIGNATURE" | "TOO_OLD" | "MALFORMED"): CallbackReading {
  return { kind: "Refused", reason };
}
