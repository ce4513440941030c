import { sampleId } from "../../src/docs/site/shared/sample-id.ts";

/** What differs from run to run, and what stands for it in the answers that the reference shows. */
const FIXED: Readonly<Record<string, unknown>> = {
  maskedPan: "411111******1111",
  pan: "4111111111111111",
  cvv: "123",
  expiryMonth: 1,
  expiryYear: 2029,
  approvalCode: "N6RWTE",
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw5f3bmhTE3ik=",
  reference: "order-4711",
  durationMs: 12,
  us: 1.5,
};

const ID = /\b([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
/** Where an answer has more ids of a kind than one. */
const OTHER_TAIL = "01kc2m8v4qe5w2nq8r4jt1hxyz";

/** The answers by operation, each told with the same ids, times and secrets whenever it is recorded. */
export function answersAsRecorded(answers: Record<string, unknown>): Record<string, unknown> {
  const sorted = Object.entries(answers).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, answer]) => [name, settle(answer, new Map())]));
}

function settle(value: unknown, ids: Map<string, string>): unknown {
  if (typeof value === "string") {
    return TIME.test(value)
      ? "2026-01-31T12:00:00.000Z"
      : value.replace(ID, (id) => known(id, ids));
  }
  if (Array.isArray(value)) return value.map((item) => settle(item, ids));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      inner !== null && name in FIXED ? FIXED[name] : settle(inner, ids),
    ]),
  );
}

function known(id: string, ids: Map<string, string>): string {
  const [prefix = ""] = id.split("_");
  const sample = ids.get(id) ?? sampleId(prefix);
  const isTaken = !ids.has(id) && [...ids.values()].includes(sample);
  const told = isTaken ? `${prefix}_${OTHER_TAIL}` : sample;
  ids.set(id, told);
  return told;
}
