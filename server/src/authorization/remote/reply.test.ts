import { expect, test } from "vitest";
import { type FailureReason, failed } from "../../outbound/outcome.ts";
import { replyTo } from "./reply.ts";

const afterSending = (reason: FailureReason) =>
  replyTo({ ...failed(reason, 12.34), isSent: true }, "AutoDecline");

test.each<FailureReason>(["Timeout", "ConnectionFailed", "TlsFailed"])(
  "after %s nobody knows what was said: it stays open",
  (reason) => {
    expect(afterSending(reason)).toMatchObject({ decision: "Decline", isOpen: true });
    expect(replyTo(failed(reason, 0), "AutoDecline").isOpen).toBe(false);
  },
);

test.each<FailureReason>(["TooLarge", "InvalidAnswer", "Redirected"])(
  "%s is an answer that approves nothing",
  (reason) => {
    expect(afterSending(reason)).toMatchObject({ decision: "Decline", isOpen: false });
  },
);

test("a tenth of a millisecond is told", () => {
  expect(afterSending("Timeout").report).toMatchObject({ durationMs: 12.3, timedOut: true });
  expect(afterSending("Redirected").report.timedOut).toBe(false);
});

test("what no decision answers the second time was perhaps decided the first time", () => {
  const answered = { isAnswer: true, truncated: false, durationMs: 5 } as const;
  const broken = { ...answered, status: 500, body: Buffer.alloc(0) };
  expect(replyTo(broken, "AutoDecline").isOpen).toBe(false);
  expect(replyTo({ ...broken, isSecondTry: true }, "AutoDecline").isOpen).toBe(true);
  const decided = { ...answered, status: 200, body: Buffer.from('{"decision":"Decline"}') };
  expect(replyTo({ ...decided, isSecondTry: true }, "AutoDecline").isOpen).toBe(false);
});
