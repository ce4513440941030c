import { randomBytes } from "node:crypto";
import { verifyWebhook, WebhookVerificationError, webhooks } from "@florin/sdk";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";

const secret = `whsec_${randomBytes(32).toString("base64")}`;
const old = `whsec_${randomBytes(32).toString("base64")}`;
const now = new Date("2026-01-31T12:00:00Z");
const payload = JSON.stringify({
  eventId: "evt_1",
  eventType: "card.issued",
  data: { name: "Söhne" },
});

/** As the service sends it: signed by a library that is not ours. */
function message({ by = [secret], at = now, id = "evt_1", body = payload } = {}) {
  const signatures = by.map((each) => new Webhook(each).sign(id, at, body));
  return {
    "webhook-id": id,
    "webhook-timestamp": String(at.getTime() / 1000),
    "webhook-signature": signatures.join(" "),
  };
}

describe("a message is believed", () => {
  const headers = message();
  const shifted = (seconds: number) => message({ at: new Date(now.getTime() + seconds * 1000) });
  test.each<[string, Parameters<typeof verifyWebhook>]>([
    ["as text", [payload, headers, secret]],
    ["as bytes", [new TextEncoder().encode(payload), headers, secret]],
    ["as an ArrayBuffer", [new TextEncoder().encode(payload).buffer, headers, secret]],
    ["with Headers", [payload, new Headers(headers), secret]],
    [
      "with headers in other letters",
      [
        payload,
        Object.fromEntries(Object.entries(headers).map(([k, v]) => [k.toUpperCase(), v])),
        secret,
      ],
    ],
    ["when a secret is replaced at its sender", [payload, message({ by: [old, secret] }), secret]],
    ["when a secret is replaced at its receiver", [payload, headers, [old, secret]]],
    ["with a secret without its prefix", [payload, headers, secret.slice("whsec_".length)]],
    [
      "beside signatures of other kinds",
      [
        payload,
        { ...headers, "webhook-signature": `v1a,AAAA v1,%% ${headers["webhook-signature"]}` },
        secret,
      ],
    ],
    ["five minutes late", [payload, shifted(-300), secret]],
    ["from five minutes ahead", [payload, shifted(300), secret]],
  ])("%s", async (_how, [body, sent, secrets]) => {
    const event = await verifyWebhook(body, sent, secrets, { now });
    expect(event).toEqual(JSON.parse(payload));
  });
});

describe("a message is not believed", () => {
  const headers = message();
  test.each<[string, Parameters<typeof verifyWebhook>, string]>([
    ["of another secret", [payload, message({ by: [old] }), secret], "No signature"],
    ["that was changed", [payload.replace("1", "2"), headers, secret], "No signature"],
    ["under another id", [payload, { ...headers, "webhook-id": "evt_2" }, secret], "No signature"],
    [
      "without a signature",
      [payload, { ...headers, "webhook-signature": undefined }, secret],
      "webhook-signature",
    ],
    [
      "with two ids",
      [payload, { ...headers, "webhook-id": ["evt_1", "evt_1"] }, secret],
      "webhook-id",
    ],
    [
      "with an id in two spellings",
      [payload, { ...headers, "Webhook-Id": "evt_1" }, secret],
      "webhook-id",
    ],
    ["of no time", [payload, { ...headers, "webhook-timestamp": "now" }, secret], "no number"],
    [
      "that is old",
      [payload, message({ at: new Date(now.getTime() - 301_000) }), secret],
      "too old",
    ],
    [
      "from the future",
      [payload, message({ at: new Date(now.getTime() + 301_000) }), secret],
      "future",
    ],
    ["that is not JSON", ["{", message({ body: "{" }), secret], "not JSON"],
    [
      "with an empty signature",
      [payload, { ...headers, "webhook-signature": "v1," }, secret],
      "No signature",
    ],
  ])("%s", async (_which, [body, sent, secrets], why) => {
    const refused = verifyWebhook(body, sent, secrets, { now });
    await expect(refused).rejects.toThrow(WebhookVerificationError);
    await expect(refused).rejects.toThrow(why);
  });

  test("with any bit of its signature changed", async () => {
    const { "webhook-signature": good, ...rest } = message();
    const bytes = Buffer.from(good.slice(3), "base64");
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: bytes.length * 8 - 1 }), async (bit) => {
        const changed = Buffer.from(bytes);
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const headers = { ...rest, "webhook-signature": `v1,${changed.toString("base64")}` };
        await expect(verifyWebhook(payload, headers, secret, { now })).rejects.toThrow(
          "No signature",
        );
      }),
    );
  });

  test("later, when less patience is asked for", async () => {
    const sent = message({ at: new Date(now.getTime() - 11_000) });
    await expect(verifyWebhook(payload, sent, secret, { now, toleranceS: 10 })).rejects.toThrow(
      "old",
    );
  });
});

test.each<[string | string[]]>([[""], [[]], ["whsec_%%%"]])("%j is no secret", async (wrong) => {
  await expect(webhooks.verify(payload, message(), wrong, { now })).rejects.toThrow(TypeError);
});

test("what we sign, others believe", async () => {
  await fc.assert(
    fc.asyncProperty(fc.json(), async (body) => {
      const headers = await webhooks.sign(body, { id: "evt_1", at: new Date(), secret });
      expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    }),
  );
});

test.each([[JSON.parse(payload)], [undefined], [null], [[123]]])(
  "a body that is no longer as it arrived, %j, is a mistake that is explained",
  async (parsed) => {
    const why = "The body must be given as it arrived, as text or bytes, not parsed.";
    const { verify, sign } = webhooks;
    await expect(verify(parsed, message(), secret)).rejects.toThrow(new TypeError(why));
    await expect(sign(parsed, { id: "evt_1", at: now, secret })).rejects.toThrow(why);
  },
);
