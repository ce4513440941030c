import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { Signer } from "./signer.ts";

const secret = fc
  .uint8Array({ minLength: 1, maxLength: 64 })
  .map((bytes) => `whsec_${Buffer.from(bytes).toString("base64")}`);

test("signs as the library that receivers use to verify", () => {
  fc.assert(
    fc.property(
      secret,
      fc.string({ minLength: 1 }),
      fc.date({ min: new Date(0), noInvalidDate: true }),
      fc.string({ unit: "grapheme", maxLength: 2_000 }),
      (known, id, at, body) => {
        expect(new Signer(known).sign(id, at, body)).toBe(new Webhook(known).sign(id, at, body));
      },
    ),
  );
});

test("a secret may come without its prefix", () => {
  const at = new Date("2026-01-31T12:00:00Z");
  const bare = Buffer.from("a secret of some length").toString("base64");
  expect(new Signer(bare).sign("msg_1", at, "{}")).toBe(
    new Signer(`whsec_${bare}`).sign("msg_1", at, "{}"),
  );
});

test.each(["", "whsec_", "whsec_!!!"])("%j is no secret", (secret) => {
  expect(() => new Signer(secret)).toThrow("empty");
});
