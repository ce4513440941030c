import { generateKeyPairSync } from "node:crypto";
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Core } from "../src/core.ts";
import { rotateKeys } from "../src/identity/rotate-keys.ts";
import { becomes, expectRefusal, readJson, verdict } from "./harness/answers.ts";
import { foundOrganization, type Organization, openOperator } from "./harness/operator.ts";
import { startTestService, type TestService } from "./harness/service.ts";
import { encodeSegment, openSigner, type Signer, signWithHmac } from "./harness/signer.ts";

let service: TestService;
let operator: Core;
let signer: Signer;
let other: Organization;
/** The claims and the header of a good token. */
let claims: ReturnType<typeof decodeJwt>;
let header: ReturnType<typeof decodeProtectedHeader>;
beforeAll(async () => {
  service = await startTestService();
  operator = await openOperator(service);
  signer = await openSigner(operator);
  other = await foundOrganization(operator, service);
  const token = await service.client.token();
  claims = decodeJwt(token);
  header = decodeProtectedHeader(token);
});
afterAll(async () => {
  await operator.close();
  await service.stop();
});

const callWithToken = (token: string) =>
  service.client.get("/wallets", { headers: { Authorization: `Bearer ${token}` } });

describe("a token", () => {
  test("says who may do what, where and until when", async () => {
    const { identityUrl, apiUrl, clientId } = service.sandbox;
    expect(header).toMatchObject({ alg: "ES256", kid: signer.keyId });
    expect(claims).toMatchObject({
      iss: identityUrl,
      aud: apiUrl,
      client_id: clientId,
      scope: "CardAPIs CardSecrets",
    });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(3600);
  });

  test("is verified by the published keys", async () => {
    const { identityUrl, apiUrl } = service.sandbox;
    const configuration = await readJson(`${identityUrl}/.well-known/openid-configuration`);
    expect(configuration).toMatchObject({
      issuer: identityUrl,
      token_endpoint: `${identityUrl}/connect/token`,
      jwks_uri: `${identityUrl}/.well-known/jwks.json`,
      grant_types_supported: ["client_credentials"],
    });
    const keys = createRemoteJWKSet(new URL(configuration.jwks_uri));
    const options = { issuer: identityUrl, audience: apiUrl, algorithms: ["ES256"] };
    const { payload } = await jwtVerify(await service.client.token(), keys, options);
    expect(payload.client_id).toBe(service.sandbox.clientId);
  });

  test("works as often as one likes", async () => {
    const token = await service.client.token();
    for (let i = 0; i < 3; i++) expect(verdict(await callWithToken(token))).toBe("200/000");
  });

  test("published keys hold nothing private", async () => {
    const { keys } = await readJson(`${service.sandbox.identityUrl}/.well-known/jwks.json`);
    for (const key of keys) {
      expect(key).toStrictEqual({
        kty: "EC",
        crv: "P-256",
        x: expect.any(String),
        y: expect.any(String),
        kid: expect.any(String),
        alg: "ES256",
        use: "sig",
      });
    }
  });
});

describe("the same claims under the service's own signature", () => {
  // If this did not work, the refusals below would prove nothing.
  test("are good", async () => {
    expect(verdict(await callWithToken(await signer.sign(claims)))).toBe("200/000");
  });

  test.each([
    ["for another audience", () => ({ aud: "https://api.example.com" })],
    ["for no audience", () => ({ aud: undefined })],
    ["for the identity server", () => ({ aud: service.sandbox.identityUrl })],
    ["from another issuer", () => ({ iss: "https://identity.example.com" })],
    ["from no issuer", () => ({ iss: undefined })],
    ["expired a second ago", () => ({ exp: Number(claims.iat) - 1 })],
    ["without an end", () => ({ exp: undefined })],
    ["with an end that is no number", () => ({ exp: "never" })],
    ["good only from tomorrow", () => ({ nbf: Number(claims.iat) + 86_400 })],
    ["of no client", () => ({ client_id: undefined })],
    ["of a client that is not known", () => ({ client_id: "cli_unknown" })],
    ["of another client", () => ({ client_id: other.clientId })],
    ["of a client that is not text", () => ({ client_id: { $ne: "" } })],
    ["of a client with a NUL", () => ({ client_id: "cli_\0" })],
    ["without a scope", () => ({ scope: undefined })],
  ])("are refused %s", async (_name, change) => {
    const token = await signer.sign({ ...claims, ...change() } as typeof claims);
    expectRefusal(await callWithToken(token), "401/146");
  });

  test("are refused for a client that does not exist, even if both headers agree", async () => {
    const clientId = "cli_0123456789abcdefghjkmnpqrs";
    const token = await signer.sign({ ...claims, client_id: clientId });
    const answer = await service.client.get("/wallets", {
      headers: {
        Authorization: `Bearer ${token}`,
        ServiceAuthorization: `ServiceAuth ${Buffer.from(clientId).toString("base64")}`,
      },
    });
    expectRefusal(answer, "401/146");
  });

  test.each(["", "Everything", "cardapis", "CardSecrets"])(
    "lack permission with the scope %o",
    async (scope) => {
      expectRefusal(await callWithToken(await signer.sign({ ...claims, scope })), "403/149");
    },
  );
});

describe("a forged token is refused:", () => {
  const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const strangersToken = (extra: object = {}) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: "ES256", kid: signer.keyId, ...extra })
      .sign(stranger.privateKey);
  const parts = async (): Promise<[string, string, string]> => {
    const [head = "", body = "", signature = ""] = (await service.client.token()).split(".");
    return [head, body, signature];
  };
  const hmacHeader = () => ({ ...header, alg: "HS256" });
  const pem = () => signer.publicKey.export({ format: "pem", type: "spki" });
  const der = () => signer.publicKey.export({ format: "der", type: "spki" });

  test.each<[string, () => string | Promise<string>]>([
    ["signed with another key", () => strangersToken()],
    ["signed with a key it brings along", () => strangersToken({ jwk: strangersJwk() })],
    ["signed with a key it points to", () => strangersToken({ jku: "http://127.0.0.1:9/jwks" })],
    ["signed with a key nobody knows", () => strangersToken({ kid: "unknown" })],
    ["without a key id", () => signer.sign(claims, { kid: undefined })],
    ["a key id that is not text", () => strangersToken({ kid: 1 })],
    ["a key id that is a path", () => strangersToken({ kid: "../../../../dev/null" })],
    ["a key id with a NUL", () => strangersToken({ kid: "\0" })],
    ["alg none", () => `${encodeSegment({ alg: "none" })}.${encodeSegment(claims)}.`],
    [
      "alg none with the key's id",
      () => `${encodeSegment({ ...header, alg: "None" })}.${encodeSegment(claims)}.`,
    ],
    [
      "alg none with the signature of a good one",
      async () =>
        `${encodeSegment({ ...header, alg: "none" })}.${encodeSegment(claims)}.${(await parts())[2]}`,
    ],
    ["HS256 with the public key (PEM)", () => signWithHmac(hmacHeader(), claims, pem())],
    ["HS256 with the public key (DER)", () => signWithHmac(hmacHeader(), claims, der())],
    [
      "HS256 with the public key (JWK)",
      () => signWithHmac(hmacHeader(), claims, JSON.stringify(signer.publicJwk)),
    ],
    ["HS256 with an empty secret", () => signWithHmac(hmacHeader(), claims, "")],
    [
      "claims changed after signing",
      async () => {
        const [head, , signature] = await parts();
        return `${head}.${encodeSegment({ ...claims, scope: "CardAPIs" })}.${signature}`;
      },
    ],
    ["cut before the signature", async () => (await parts()).slice(0, 2).join(".")],
    ["with an empty signature", async () => `${(await parts()).slice(0, 2).join(".")}.`],
    ["with a signature of zeros", async () => zeroSignature(await parts())],
    ["not three segments", async () => `${await service.client.token()}.x`],
    ["claims that are not JSON", async () => `${(await parts())[0]}.AAAA.AAAA`],
  ])("%s", async (_name, make) => {
    expectRefusal(await callWithToken(await make()), "401/146");
  });

  const strangersJwk = () => stranger.publicKey.export({ format: "jwk" });
  const zeroSignature = ([head, body]: string[]) =>
    `${head}.${body}.${Buffer.alloc(64).toString("base64url")}`;
});

describe("a token and ServiceAuthorization of different clients", () => {
  test("another client's token is refused with this client's headers", async () => {
    expectRefusal(await callWithToken(await other.client.token()), "401/146");
  });

  test("this client's token is refused with another client's headers", async () => {
    const token = await service.client.token();
    const headers = { Authorization: `Bearer ${token}` };
    expectRefusal(await other.client.get("/wallets", { headers }), "401/146");
  });
});

test("a token outlives the rotation of the key that signed it", async () => {
  const before = await service.client.token();
  await rotateKeys(operator, 3600);
  const newKeyId = async () =>
    decodeProtectedHeader((await service.client.requestToken()).body.access_token).kid;
  await becomes(async () => (await newKeyId()) !== signer.keyId, true);

  const { identityUrl } = service.sandbox;
  const { keys } = await readJson(`${identityUrl}/.well-known/jwks.json`);
  expect(keys.map((key: { kid: string }) => key.kid)).toEqual(
    expect.arrayContaining([signer.keyId, await newKeyId()]),
  );
  expect(verdict(await callWithToken(before))).toBe("200/000");
  service.client.forgetToken();
  expect(verdict(await service.client.get("/wallets"))).toBe("200/000");
});

// Last, because afterwards all tokens from before are worthless.
test("a token is refused when its time is over, also if it was good a moment ago", async () => {
  const token = await service.client.token();
  await service.client.post("/simulator/clock/advance", { seconds: 3590 });
  expect(verdict(await callWithToken(token))).toBe("200/000");
  await service.client.post("/simulator/clock/advance", { seconds: 11 });
  expectRefusal(await callWithToken(token), "401/146");
  service.client.forgetToken();
  expect(verdict(await service.client.get("/wallets"))).toBe("200/000");
});
