import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { Signer } from "../../outbound/signer.ts";
import { OverlappingSigner } from "./overlapping-signer.ts";

const secretOf = (byte: number): string => `whsec_${Buffer.alloc(24, byte).toString("base64")}`;
const [current, previous] = [secretOf(1), secretOf(2)];
const until = new Date("2026-01-31T12:00:00Z");

function signAt(serviceTime: string, at = new Date()): Record<string, string> {
  const clock = { now: () => new Date(serviceTime), nowMs: () => Date.parse(serviceTime) };
  const signer = new OverlappingSigner(
    new Signer(current),
    { signer: new Signer(previous), until },
    clock,
  );
  return {
    "webhook-id": "req_1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": signer.sign("req_1", at, "{}"),
  };
}

test("until the overlap is over either secret verifies, and the newer one comes first", () => {
  const headers = signAt("2026-01-31T11:59:59.999Z");
  for (const secret of [current, previous]) new Webhook(secret).verify("{}", headers);
  const [first = "", second] = headers["webhook-signature"]?.split(" ") ?? [];
  new Webhook(current).verify("{}", { ...headers, "webhook-signature": first });
  expect(second).toMatch(/^v1,/);
});

test("from then on there is one signature", () => {
  const headers = signAt("2026-01-31T12:00:00Z");
  new Webhook(current).verify("{}", headers);
  expect(headers["webhook-signature"]).not.toContain(" ");
  expect(() => new Webhook(previous).verify("{}", headers)).toThrow();
});

test("the overlap is in service time, whatever time the message carries", () => {
  const long = new Date("2020-01-01T00:00:00Z");
  expect(signAt("2026-01-31T11:00:00Z", long)["webhook-signature"]).toContain(" ");
});
