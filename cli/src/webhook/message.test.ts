import fc from "fast-check";
import { expect, test } from "vitest";
import { type Received, verify } from "../../../server/test/harness/receiver.ts";
import { readSecret, signMessage } from "./message.ts";

const SECRET = `whsec_${Buffer.from("twenty-four bytes or more").toString("base64")}`;

test("what is signed verifies with the library of Standard Webhooks", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (note) => {
      const body = JSON.stringify({ note });
      const { headers } = signMessage(readSecret(SECRET), "evt_1", body);
      const message: Received = { path: "/", headers, text: body, body: undefined };
      expect(verify(message, SECRET)).toEqual({ note });
    }),
  );
});

test.each(["", "abc", "whsec_", "whsec_c2hvcnQ=", SECRET.slice(6)])("%j is no secret", (text) => {
  expect(() => readSecret(text)).toThrow("whsec_");
});
