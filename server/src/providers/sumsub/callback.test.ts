import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import type { CallbackReading } from "../../customers/port.ts";
import { newId } from "../../foundation/ids.ts";
import { CALLBACK_WINDOW_MS, readSumsubCallback } from "./callback.ts";

const SECRET = "hook-secret";
const now = new Date("2026-01-31T12:00:00.000Z");
const kycToken = newId("kyc", now.getTime());
const applicantId = "5cb56e8e0a975a35f333cb83";

const reviewed = {
  applicantId,
  inspectionId: "5cb56e8e0a975a35f333cb84",
  correlationId: "req-a260b669-4f14-4bb5-a4c5-ac0218acb9a4",
  externalUserId: kycToken,
  levelName: "id-only",
  type: "applicantReviewed",
  reviewResult: { reviewAnswer: "GREEN" } as Record<string, unknown>,
  reviewStatus: "completed",
  createdAtMs: "2026-01-31 11:59:58.321" as string | number | undefined,
};

const digest = (body: Buffer, algorithm = "sha256", secret = SECRET): string =>
  createHmac(algorithm, secret).update(body).digest("hex");

function read(payload: unknown, headers?: Record<string, string | string[]>): CallbackReading {
  const body = Buffer.isBuffer(payload) ? payload : Buffer.from(JSON.stringify(payload));
  const signed = { "x-payload-digest": digest(body), "x-payload-digest-alg": "HMAC_SHA256_HEX" };
  return readSumsubCallback(SECRET, body, headers ?? signed, now);
}

test("a signed verdict is an outcome", () => {
  expect(read(reviewed)).toEqual({
    kind: "Outcome",
    providerId: applicantId,
    kycToken,
    outcome: { status: "Approved" },
  });
  const reviewResult = {
    reviewAnswer: "RED",
    reviewRejectType: "FINAL",
    rejectLabels: ["FORGERY"],
    clientComment: "private",
  };
  expect(read({ ...reviewed, reviewResult })).toMatchObject({
    outcome: { status: "Rejected", rejectType: "FINAL", rejectLabels: ["FORGERY"] },
  });
});

test.each([
  ["applicantPending", "pending"],
  ["applicantPrechecked", "queued"],
  ["applicantOnHold", "onHold"],
])("%s is pending", (type, reviewStatus) => {
  const { reviewResult: _, ...rest } = reviewed;
  expect(read({ ...rest, type, reviewStatus })).toMatchObject({
    kind: "Outcome",
    outcome: { status: "Pending" },
  });
});

test.each([
  [{ type: "applicantCreated" }],
  [{ type: "applicantDeleted" }],
  [{ type: "applicantReset" }],
  [{ type: "somethingNew" }],
  [{ externalUserId: "someone-elses-user" }],
  [{ externalUserId: undefined }],
  [{ applicantId: "../../etc" }],
])("an authentic call-back with %j is ignored", (change) => {
  expect(read({ ...reviewed, ...change })).toEqual({ kind: "Ignored" });
});

const bytes = Buffer.from(JSON.stringify(reviewed));

test("either digest on offer is good, and case is no matter", () => {
  const sha512 = digest(bytes, "sha512");
  for (const headers of [
    { "x-payload-digest": digest(bytes) },
    { "x-payload-digest": sha512, "x-payload-digest-alg": "HMAC_SHA512_HEX" },
    { "x-payload-digest": sha512.toUpperCase(), "x-payload-digest-alg": "HMAC_SHA512_HEX" },
  ]) {
    expect(read(bytes, headers).kind).toBe("Outcome");
  }
});

test.each<[string, Record<string, string | string[]>]>([
  ["no digest", {}],
  ["an empty digest", { "x-payload-digest": "" }],
  ["another key", { "x-payload-digest": digest(bytes, "sha256", "guess") }],
  ["another body", { "x-payload-digest": digest(Buffer.from("{}")) }],
  ["half a digest", { "x-payload-digest": digest(bytes).slice(0, 32) }],
  ["a longer digest", { "x-payload-digest": `${digest(bytes)}00` }],
  ["two digests", { "x-payload-digest": [digest(bytes), digest(bytes)] }],
  [
    "an algorithm that does not fit",
    { "x-payload-digest": digest(bytes), "x-payload-digest-alg": "HMAC_SHA512_HEX" },
  ],
  ["SHA-1", { "x-payload-digest": digest(bytes, "sha1"), "x-payload-digest-alg": "HMAC_SHA1_HEX" }],
  ["no algorithm at all", { "x-payload-digest": digest(bytes), "x-payload-digest-alg": "none" }],
  [
    "an inherited name",
    { "x-payload-digest": digest(bytes), "x-payload-digest-alg": "constructor" },
  ],
])("%s is a bad signature", (_, headers) => {
  expect(read(bytes, headers)).toEqual({ kind: "Refused", reason: "BAD_SIGNATURE" });
});

test("the signature covers the bytes as they came, not what they mean", () => {
  const headers = { "x-payload-digest": digest(bytes) };
  const spaced = Buffer.from(JSON.stringify(reviewed, null, 1));
  expect(read(spaced, headers)).toEqual({ kind: "Refused", reason: "BAD_SIGNATURE" });
});

test("without a secret nothing is authentic", () => {
  const headers = { "x-payload-digest": digest(bytes, "sha256", "") };
  expect(readSumsubCallback("", bytes, headers, now).kind).toBe("Refused");
});

const at = (offsetMs: number): string =>
  new Date(now.getTime() + offsetMs).toISOString().replace("T", " ").replace("Z", "");

test.each<[string | number | undefined, string]>([
  [at(0), "Outcome"],
  [at(-CALLBACK_WINDOW_MS), "Outcome"], // the last repetition may be that late
  [at(-CALLBACK_WINDOW_MS - 1), "TOO_OLD"],
  [at(5 * 60_000), "Outcome"],
  [at(5 * 60_000 + 1), "TOO_OLD"],
  ["2020-02-21 13:23:19.321", "TOO_OLD"],
  ["2026-01-31T11:59:58.321Z", "Outcome"],
  ["2026-01-31 11:59:58+0000", "Outcome"],
  [now.getTime(), "Outcome"],
  ["yesterday", "MALFORMED"],
  ["2026-13-45 11:59:58", "MALFORMED"],
  [undefined, "MALFORMED"], // it could be repeated for ever
])("a call-back of %s: %s", (createdAtMs, expected) => {
  const reading = read({ ...reviewed, createdAtMs });
  expect(reading.kind === "Refused" ? reading.reason : reading.kind).toBe(expected);
});

test.each([
  ["", "{", "null", "[]", '"text"', "{}"],
  [
    JSON.stringify({ ...reviewed, type: 7 }),
    JSON.stringify({ ...reviewed, reviewResult: "GREEN" }),
  ],
])("authentic nonsense is malformed", (...texts) => {
  for (const text of texts) {
    expect(read(Buffer.from(text))).toEqual({ kind: "Refused", reason: "MALFORMED" });
  }
});
