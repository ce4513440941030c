import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rotateCredentials } from "../src/identity/organizations.ts";
import { becomes, expectRefusal, fieldsOf, verdict } from "./harness/answers.ts";
import { ApiClient, newReference } from "./harness/api-client.ts";
import { foundOrganization, openOperator } from "./harness/operator.ts";
import { freePort } from "./harness/process.ts";
import { sendRaw, sendSigned } from "./harness/raw-http.ts";
import { startTestService, type TestService } from "./harness/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** A good call, but for one header. */
const callWith = (headers: Record<string, string | undefined>) =>
  service.client.get("/wallets", { headers });

test("a call with all five headers passes, whatever the case of their names", async () => {
  const answer = await sendSigned(service.client, "GET", "/wallets", {
    change: (lines) =>
      lines.map(([name, value], i) => [i % 2 ? name.toLowerCase() : name.toUpperCase(), value]),
  });
  expect(verdict(answer)).toBe("200/000");
});

test("every 401 says how to authenticate, as HTTP has it", async () => {
  const plain = 'Bearer realm="florin"';
  const invalid = `${plain}, error="invalid_token"`;
  for (const [headers, expected, challenge] of [
    [{ Authorization: undefined }, "401/146", plain],
    [{ Authorization: "Bearer abc" }, "401/146", invalid],
    [{ ServiceAuthorization: undefined }, "401/146", plain],
    [{ UniqueKey: "wrong" }, "401/113", plain],
    [{ Signature: "wrong" }, "401/137", plain],
  ] as const) {
    const answer = await callWith(headers);
    expectRefusal(answer, expected);
    expect(answer.headers.get("www-authenticate")).toBe(challenge);
  }
  expect((await callWith({ Reference: "" })).headers.get("www-authenticate")).toBeNull();
});

describe("1. Authorization", () => {
  test("names its scheme in any case", async () => {
    const token = await service.client.token();
    for (const scheme of ["Bearer", "bearer", "BEARER"]) {
      expect(verdict(await callWith({ Authorization: `${scheme} ${token}` }))).toBe("200/000");
    }
  });

  test.each([
    ["missing", () => undefined],
    ["empty", () => ""],
    ["without a token", () => "Bearer"],
    ["without the scheme", (token: string) => token],
    ["with another scheme", (token: string) => `Basic ${token}`],
    ["with something behind the token", (token: string) => `Bearer ${token} x`],
    ["with a token that is none", () => "Bearer abc"],
    ["longer than any token", () => `Bearer ${"a".repeat(9_000)}`],
  ])("%s: 401/146", async (_name, authorization) => {
    const token = await service.client.token();
    expectRefusal(await callWith({ Authorization: authorization(token) }), "401/146");
  });
});

describe("2. ServiceAuthorization", () => {
  test.each([
    ["missing", () => undefined],
    ["empty", () => ""],
    ["not encoded", (clientId: string) => `ServiceAuth ${clientId}`],
    ["without the scheme", (clientId: string) => base64(clientId)],
    ["with another scheme", (clientId: string) => `Basic ${base64(clientId)}`],
    ["of a client that is not known", () => `ServiceAuth ${base64("cli_unknown")}`],
    ["encoded twice", (clientId: string) => `ServiceAuth ${base64(base64(clientId))}`],
    ["with a secret", (clientId: string) => `ServiceAuth ${base64(`${clientId}:secret`)}`],
    ["with a NUL", (clientId: string) => `ServiceAuth ${base64(`${clientId}\0`)}`],
  ])("%s: 401/146", async (_name, serviceAuthorization) => {
    const { clientId } = service.sandbox;
    const answer = await callWith({ ServiceAuthorization: serviceAuthorization(clientId) });
    expectRefusal(answer, "401/146");
  });
});

describe("5. UniqueKey", () => {
  test.each([
    ["missing", () => undefined],
    ["empty", () => ""],
    ["wrong", () => "wrong"],
    ["one character short", (key: string) => key.slice(0, -1)],
    ["one character long", (key: string) => `${key}x`],
    ["in another case", (key: string) => swapCase(key)],
  ])("%s: 401/113", async (_name, uniqueKey) => {
    expectRefusal(await callWith({ UniqueKey: uniqueKey(service.sandbox.uniqueKey) }), "401/113");
  });
});

describe("6. Reference", () => {
  test.each([
    ["empty", ""],
    ["31 characters", "r".repeat(31)],
    ["a space within", "a b"],
    ["a tab within", "a\tb"],
    ["a letter outside ASCII", "réf"],
  ])("%s: 400/131", async (_name, reference) => {
    const answer = await sendSigned(service.client, "GET", "/wallets", { reference });
    expectRefusal(answer, "400/131");
    expect(fieldsOf(answer)).toEqual(["Reference"]);
  });

  test("missing: 400/131", async () => {
    const answer = await callWith({ Reference: undefined });
    expectRefusal(answer, "400/131");
    expect(fieldsOf(answer)).toEqual(["Reference"]);
  });

  test.each([
    ["one character", "x"],
    ["30 characters", `${newReference()}-----10---`],
    ["punctuation", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{"],
    ["more punctuation", "|}~0"],
  ])("%s is taken", async (_name, reference) => {
    const answer = await sendSigned(service.client, "GET", "/wallets", { reference });
    expect(verdict(answer)).toBe("200/000");
  });
});

describe("7. Signature", () => {
  /** The signature of the documentation, with one of its ingredients spoiled. */
  function signed(change: {
    method?: string;
    url?: string;
    encode?: (url: string) => string;
    reference?: string;
    clientId?: string;
    clientSecret?: string;
    digest?: (text: string) => string;
  }): { Reference: string; Signature: string } {
    const Reference = newReference();
    const { clientId, clientSecret, apiUrl } = service.sandbox;
    const parts = {
      method: "GET",
      url: `${apiUrl}/api/v1/wallets`,
      encode: encodeURIComponent,
      reference: Reference,
      clientId,
      clientSecret,
      digest: (text: string) => base64(sha1(text).toString("hex")),
      ...change,
    };
    const { method, url, encode, reference } = parts;
    const text = [method, encode(url), reference, parts.clientId, parts.clientSecret].join("&");
    return { Reference, Signature: parts.digest(text) };
  }

  test("as documented passes", async () => {
    expect(verdict(await callWith(signed({})))).toBe("200/000");
  });

  test.each([
    ["missing", { digest: () => undefined as unknown as string }],
    ["empty", { digest: () => "" }],
    ["of another method", { method: "POST" }],
    ["of the method in lower case", { method: "get" }],
    ["of another path", { url: "http://127.0.0.1/api/v1/wallet" }],
    ["of another host", { url: "http://localhost/api/v1/wallets" }],
    ["of the path alone", { url: "/api/v1/wallets" }],
    ["of another Reference", { reference: "another" }],
    ["of another client", { clientId: "cli_another" }],
    ["with another secret", { clientSecret: "another" }],
    ["with an empty secret", { clientSecret: "" }],
    ["of the raw URL", { encode: (url: string) => url }],
    ["of a URL encoded by encodeURI", { encode: encodeURI }],
    ["of a URL encoded twice", { encode: (url: string) => encodeTwice(url) }],
    ["of the digest's bytes", { digest: (text: string) => sha1(text).toString("base64") }],
    ["in hexadecimal only", { digest: (text: string) => sha1(text).toString("hex") }],
    ["of upper-case hexadecimal", { digest: upperCaseDigest }],
    ["by SHA-256", { digest: (text: string) => base64(sha256(text)) }],
    ["with something behind it", { digest: (text: string) => `${goodDigest(text)}=` }],
  ])("%s: 401/137", async (_name, change) => {
    expectRefusal(await callWith(signed(change)), "401/137");
  });

  test("covers the query, character by character", async () => {
    const url = `${service.sandbox.apiUrl}/api/v1/requests/x`;
    const headers = await service.client.headers("GET", `${url}?a=%7E`);
    const send = (query: string) =>
      sendRaw(service.sandbox.apiUrl, {
        method: "GET",
        target: `/api/v1/requests/x${query}`,
        headers: Object.entries(headers),
      });
    for (const query of ["?a=~", "?a=%7e", "?a=%7E&", "?", ""]) {
      expectRefusal(await send(query), "401/137");
    }
  });
});

describe("the signature of a URL as the encoders of other languages write it", () => {
  /** Everything but letters, digits and `kept` becomes %XX. */
  const escapingAllBut = (kept: string) => (url: string) =>
    [...url]
      .map((c) => (/[A-Za-z0-9]/.test(c) || kept.includes(c) ? c : `%${hexOf(c).toUpperCase()}`))
      .join("");
  const lowerCaseHex = (encode: (url: string) => string) => (url: string) =>
    encode(url).replace(/%../g, (escaped) => escaped.toLowerCase());

  const encoders = {
    "JavaScript encodeURIComponent": encodeURIComponent,
    "Python quote(safe='') and quote_plus": escapingAllBut("-_.~"),
    "PHP urlencode": escapingAllBut("-_."),
    "PHP rawurlencode": escapingAllBut("-_.~"),
    "Java URLEncoder": escapingAllBut("-_.*"),
    "Go QueryEscape": escapingAllBut("-_.~"),
    "C# Uri.EscapeDataString": escapingAllBut("-_.~"),
    "C# WebUtility.UrlEncode": escapingAllBut("-_.!*()"),
    "C# HttpUtility.UrlEncode": lowerCaseHex(escapingAllBut("-_.!*()")),
  };
  const paths = ["/nowhere", "/nowhere/~a?b=%20~'()*!+&c=%2f-_.;@:$,", "/nowhere?x=~&y='"];

  const sign = (path: string, encode: (url: string) => string) => {
    const { clientId, clientSecret, apiUrl } = service.sandbox;
    const reference = newReference();
    const url = encode(`${apiUrl}/api/v1${path}`);
    const text = ["GET", url, reference, clientId, clientSecret].join("&");
    return { reference, headers: { Signature: goodDigest(text) } };
  };

  test.each(
    Object.entries(encoders).flatMap(([name, encode]) =>
      paths.map((path) => [name, path, encode] as const),
    ),
  )("%s of %s is accepted", async (_name, path, encode) => {
    // A path that does not exist: only who has passed all the checks of the headers is told so.
    const answer = await sendSigned(service.client, "GET", path, sign(path, encode));
    expectRefusal(answer, "404/157");
  });

  test.each([
    ["the URL as it is", (url: string) => url],
    ["encodeURI", encodeURI],
    ["everything escaped", escapingAllBut("")],
    ["a mixture that no encoder makes", escapingAllBut("-_.~*")],
    ["lower-case hexadecimal with ~ kept", lowerCaseHex(escapingAllBut("-_.~"))],
  ])("%s is refused", async (_name, encode) => {
    const path = "/nowhere?b=%20~'()*!+";
    const answer = await sendSigned(service.client, "GET", path, sign(path, encode));
    expectRefusal(answer, "401/137");
  });
});

test("an address is signed as the operator wrote it, or as libraries write it, and no other way", async () => {
  const port = await freePort();
  const address = `http://LocalHost:${port}`;
  const environment = { FLORIN_API_PORT: String(port), FLORIN_API_URL: address };
  const another = await startTestService(environment);
  const callSigned = async (signed: string) => {
    const headers = await another.client.headers("GET", `${signed}/api/v1/wallets`);
    return (await fetch(`http://127.0.0.1:${port}/api/v1/wallets`, { headers })).status;
  };
  expect(await callSigned(address)).toBe(200);
  expect(await callSigned(address.toLowerCase())).toBe(200);
  expect(await callSigned(address.toUpperCase())).toBe(401);
  expect(await callSigned(`http://127.0.0.1:${port}`)).toBe(401);
  await another.stop();
});

describe("a header that comes twice", () => {
  test.each([
    ["Authorization", "401/146"],
    ["ServiceAuthorization", "401/146"],
    ["UniqueKey", "401/113"],
    ["Reference", "400/131"],
    ["Signature", "401/137"],
  ])("%s counts as missing, even if both are the same: %s", async (name, expected) => {
    for (const second of [undefined, "another"]) {
      const answer = await sendSigned(service.client, "GET", "/wallets", {
        change: (lines) =>
          lines.flatMap(([lineName, value]) =>
            lineName === name
              ? [[lineName, value] as const, [lineName.toLowerCase(), second ?? value] as const]
              : [[lineName, value] as const],
          ),
      });
      expectRefusal(answer, expected);
    }
  });
});

test("after a rotation both secrets sign until the overlap is over, then only the new one", async () => {
  const operator = await openOperator(service);
  const { client, organizationId } = await foundOrganization(operator, service);
  await client.token();
  const [rotated] = await rotateCredentials(operator, organizationId, 1_800_000);
  await operator.close();
  const renewed = new ApiClient({ ...client.sandbox, ...rotated });

  await becomes(async () => (await renewed.requestToken()).status, 200);
  expect(verdict(await renewed.get("/wallets"))).toBe("200/000");
  expect(verdict(await client.get("/wallets"))).toBe("200/000");

  await service.client.post("/simulator/clock/advance", { seconds: 1_801 });
  expect(verdict(await renewed.get("/wallets"))).toBe("200/000");
  expectRefusal(await client.get("/wallets"), "401/137");
  expect((await client.requestToken()).status).toBe(401);
});

const hexOf = (character: string): string => character.charCodeAt(0).toString(16);
const sha1 = (text: string): Buffer => createHash("sha1").update(text).digest();
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const goodDigest = (text: string): string => base64(sha1(text).toString("hex"));
const upperCaseDigest = (text: string): string => base64(sha1(text).toString("hex").toUpperCase());
const encodeTwice = (url: string): string => encodeURIComponent(encodeURIComponent(url));
const swapCase = (text: string): string =>
  [...text].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join("");
