import { expect, test } from "vitest";
import { type Answered, failed, type Outcome } from "../../outbound/outcome.ts";
import { readAnswer } from "./answer.ts";
import { replyTo } from "./reply.ts";

const answered = (body: string | Buffer, change: Partial<Answered> = {}): Answered => ({
  isAnswer: true,
  status: 200,
  body: Buffer.from(body),
  truncated: false,
  durationMs: 12.34,
  ...change,
});

const saying = (body: unknown): Answered => answered(JSON.stringify(body));
const deep = `{"decision":"Approve","metadata":{"a":${"[".repeat(30_000)}${"]".repeat(30_000)}}}`;

test.each<[string, Outcome, object]>([
  ["approves", saying({ decision: "Approve" }), { decision: "Approve" }],
  ["declines", saying({ decision: "Decline" }), { decision: "Decline", responseCode: "176" }],
  [
    "declines for a reason of its own",
    saying({ decision: "Decline", responseCode: "301" }),
    { decision: "Decline", responseCode: "301" },
  ],
  ["names success", saying({ decision: "Decline", responseCode: "000" }), { responseCode: "176" }],
  [
    "names an outcome that is unknown",
    saying({ decision: "Decline", responseCode: "172" }),
    { responseCode: "176" },
  ],
  ["names no code", saying({ decision: "Decline", responseCode: "999" }), { responseCode: "176" }],
  [
    "says more than is asked",
    saying({ decision: "Approve", cardId: "any", score: 0.5 }),
    { decision: "Approve" },
  ],
  [
    "writes null for nothing",
    saying({ decision: "Approve", responseCode: null, metadata: null }),
    { decision: "Approve" },
  ],
  [
    "wants noted what only looks like it could not be stored",
    saying({ decision: "Approve", metadata: { a: "\\u0000 \\udc00 😀" } }),
    { metadata: { a: "\\u0000 \\udc00 😀" } },
  ],
  [
    "wants something noted",
    saying({ decision: "Approve", metadata: { rule: "r-1", score: 3 } }),
    { metadata: { rule: "r-1", score: 3 } },
  ],
])("an answer that %s", (_what, outcome, expected) => {
  expect(readAnswer(outcome)).toMatchObject({ answer: expected });
});

test.each<[string, Outcome]>([
  ["much", saying({ decision: "Approve", metadata: { a: "x".repeat(3_000) } })],
  ["what the database takes no more", saying({ decision: "Approve", metadata: { a: "\0" } })],
  ["half a character", saying({ decision: "Approve", metadata: { a: "\ud800" } })],
  ["the other half", saying({ decision: "Approve", metadata: { a: "\udc00" } })],
  ["half a character in a name", saying({ decision: "Approve", metadata: { "\udfff": 1 } })],
  [
    "half a character behind a backslash",
    saying({ decision: "Approve", metadata: { a: "\\\udc00" } }),
  ],
  ["too deep a nesting", answered(deep)],
])("notes of %s are left out, and the decision counts", (_what, outcome) => {
  expect(readAnswer(outcome)).toEqual({ answer: { decision: "Approve", responseCode: "176" } });
});

test.each<[string, Outcome, RegExp]>([
  ["no JSON", answered("Approve"), /not valid JSON/],
  ["nothing", answered(""), /not valid JSON/],
  ["bytes that are no text", answered(Buffer.from([0xff, 0xfe, 0])), /not valid JSON/],
  ["a word", saying("Approve"), /no valid decision/],
  ["a list", saying([{ decision: "Approve" }]), /no valid decision/],
  ["null", saying(null), /no valid decision/],
  ["another word", saying({ decision: "approve" }), /no valid decision/],
  ["no decision", saying({ approved: true }), /no valid decision/],
  ["a number as code", saying({ decision: "Decline", responseCode: 301 }), /no valid decision/],
  ["a list as notes", saying({ decision: "Approve", metadata: ["a"] }), /no valid decision/],
  ["a text as notes", saying({ decision: "Approve", metadata: "a" }), /no valid decision/],
  ["201", answered(`{"decision":"Approve"}`, { status: 201 }), /201/],
  ["500", answered(`{"decision":"Approve"}`, { status: 500 }), /500/],
  ["what was cut off", answered(`{"decision":"Approve"}`, { truncated: true }), /too long/],
  ["a failure", failed("TlsFailed", 1), /secure connection/],
])("%s is no answer", (_what, outcome, expected) => {
  expect(readAnswer(outcome)).toEqual({ error: expect.stringMatching(expected) });
});

test.each<[Outcome, "AutoApprove" | "AutoDecline", object]>([
  [
    saying({ decision: "Approve" }),
    "AutoDecline",
    { decision: "Approve", isApproval: true, report: { timedOut: false, defaultUsed: false } },
  ],
  [
    saying({ decision: "Decline", responseCode: "216" }),
    "AutoApprove",
    { decision: "Decline", responseCode: "216", isApproval: false },
  ],
  [
    failed("Timeout", 400),
    "AutoApprove",
    { decision: "Approve", isApproval: false, report: { timedOut: true, defaultUsed: true } },
  ],
  [
    failed("ConnectionFailed", 3),
    "AutoDecline",
    { decision: "Decline", responseCode: "176", report: { timedOut: false, defaultUsed: true } },
  ],
  [{ ...failed("Timeout", 400), isSent: true }, "AutoDecline", { isOpen: true }],
  [{ ...failed("ConnectionFailed", 4), isSent: true }, "AutoDecline", { isOpen: true }],
  [{ ...failed("Redirected", 4), isSent: true }, "AutoDecline", { isOpen: false }],
  [failed("Timeout", 400), "AutoDecline", { isOpen: false }],
])("%o with %s by default", (outcome, byDefault, expected) => {
  expect(replyTo(outcome, byDefault)).toMatchObject(expected);
});
