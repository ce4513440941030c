import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectRefusal, fieldsOf, verdict } from "./harness/answers.ts";
import { newReference } from "./harness/api-client.ts";
import { exchangeBytes, parseAnswer, sendRaw, sendSigned } from "./harness/raw-http.ts";
import { startTestService, type TestService } from "./harness/service.ts";

const DEPOSITS = "/simulator/wallets/deposits";
const GOOD_BODY = '{"currency":"USD","amount":1}';
const MAX_BODY_BYTES = 256 * 1024;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

async function balance(): Promise<number> {
  return (await service.client.get("/wallets")).body.data[0].balance;
}

const sendBody = (body: string | Buffer, headers: Record<string, string | undefined> = {}) =>
  sendSigned(service.client, "POST", DEPOSITS, { body, headers });

describe("a body is strict JSON, or 400/131", () => {
  const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

  test.each<[string, string | Buffer]>([
    ["nothing", ""],
    ["blanks", "  \n"],
    ["not JSON", "hello"],
    ["half of it", '{"currency":"USD","amo'],
    ["something behind it", `${GOOD_BODY}x`],
    ["two of them", GOOD_BODY + GOOD_BODY],
    ["single quotes", "{'currency':'USD','amount':1}"],
    ["a comma too many", '{"currency":"USD","amount":1,}'],
    ["a comment", `${GOOD_BODY}//`],
    ["NaN", '{"currency":"USD","amount":NaN}'],
    ["Infinity", '{"currency":"USD","amount":Infinity}'],
    ["a number with a plus", '{"currency":"USD","amount":+1}'],
    ["a number with a leading zero", '{"currency":"USD","amount":01}'],
    ["a number that ends in its point", '{"currency":"USD","amount":1.}'],
    ["a hexadecimal number", '{"currency":"USD","amount":0x10}'],
    ["null", "null"],
    ["a number", "1"],
    ["a text", '"USD"'],
    ["a list", `[${GOOD_BODY}]`],
    ["an empty object", "{}"],
    ["a key twice", '{"currency":"USD","amount":1,"amount":2}'],
    ["a key twice, once escaped", '{"currency":"USD","amount":1,"\\u0061mount":2}'],
    ["__proto__", '{"currency":"USD","amount":1,"__proto__":{"x":1}}'],
    ["__proto__ as the only way to a field", '{"__proto__":{"currency":"USD","amount":1}}'],
    ["constructor.prototype", '{"currency":"USD","amount":1,"constructor":{"prototype":{}}}'],
    ["nested too deeply", `{"currency":"USD","amount":1,"x":${deep(1_000)}}`],
    ["nested so deeply that a stack would overflow", deep(100_000)],
    ["a NUL escape in a value", '{"currency":"US\\u0000","amount":1}'],
    ["a NUL escape in a name", '{"currency":"USD","amount":1,"\\u0000":1}'],
    ["a NUL byte in a value", '{"currency":"US\0","amount":1}'],
    ["a NUL byte behind it", `${GOOD_BODY}\0`],
    ["half a surrogate pair", '{"currency":"US\\ud800","amount":1}'],
    ["invalid UTF-8", Buffer.concat([Buffer.from('{"currency":"US'), Buffer.from([0xff, 0x22])])],
    ["an overlong UTF-8 sequence", Buffer.from('{"currency":"\xc0\xaf","amount":1}', "latin1")],
    ["UTF-16", Buffer.from(GOOD_BODY, "utf16le")],
    ["random bytes", Buffer.from([0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00])],
  ])("%s", async (_name, body) => {
    const before = await balance();
    const answer = await sendBody(body);
    expectRefusal(answer, "400/131");
    expect(await balance()).toBe(before);
  });

  test("blanks, escapes and the order of fields do not matter", async () => {
    const answer = await sendBody('\r\n\t { "amount" : 1 , "\\u0063urrency" : "\\u0055SD" } \n');
    expect(verdict(answer)).toBe("200/000");
  });

  test("names of fields in the answer are as they were sent, but bounded", async () => {
    const name = "x".repeat(10_000);
    const answer = await sendBody(`{"currency":"USD","amount":1,"${name}":1,"${name}":2}`);
    expectRefusal(answer, "400/131");
    expect(JSON.stringify(answer.body).length).toBeLessThan(1_000);
  });
});

describe("a body of another type is 400/131", () => {
  test.each([
    ["text/plain"],
    ["application/x-www-form-urlencoded"],
    ["multipart/form-data; boundary=x"],
    ["application/xml"],
    ["application/octet-stream"],
    ["application/jsonp"],
    ["json"],
    ["nonsense; ; ="],
    [undefined],
  ])("%s", async (contentType) => {
    expectRefusal(await sendBody(GOOD_BODY, { "Content-Type": contentType }), "400/131");
  });

  test.each(["application/json", "application/json; charset=utf-8", "APPLICATION/JSON"])(
    "%s is taken",
    async (contentType) => {
      expect(verdict(await sendBody(GOOD_BODY, { "Content-Type": contentType }))).toBe("200/000");
    },
  );

  test("a compressed body", async () => {
    const headers = { "Content-Encoding": "gzip" };
    expectRefusal(await sendBody(gzipSync(GOOD_BODY), headers), "400/131");
  });
});

describe("a body of up to 256 KiB is read, a larger one is 400/131", () => {
  const padded = (bytes: number): string => GOOD_BODY.padEnd(bytes, " ");
  const chunked = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

  test("256 KiB", async () => {
    expect(verdict(await sendBody(padded(MAX_BODY_BYTES)))).toBe("200/000");
  });

  test("256 KiB + 1", async () => {
    expectRefusal(await sendBody(padded(MAX_BODY_BYTES + 1)), "400/131");
  });

  test("256 KiB in chunks", async () => {
    const body = chunked(padded(MAX_BODY_BYTES));
    expect(verdict(await sendBody(body, { "Transfer-Encoding": "chunked" }))).toBe("200/000");
  });

  test("256 KiB + 1 in chunks, of which nobody knew how many would come", async () => {
    const body = chunked(padded(MAX_BODY_BYTES + 1));
    expectRefusal(await sendBody(body, { "Transfer-Encoding": "chunked" }), "400/131");
  });

  test("a length that is only announced", async () => {
    const answer = await sendBody("{", { "Content-Length": "999999999999" });
    expectRefusal(answer, "400/131");
  });
});

test("a refusal repeats no card number, not even as the name of a field", async () => {
  const pan = "4111111111111111";
  const fields = [`{"currency":"USD","amount":1,"${pan}":1}`, `{"${pan}":1,"${pan}":2}`];
  for (const body of fields) {
    const answer = await sendBody(body);
    expectRefusal(answer, "400/131");
    expect(fieldsOf(answer)).toEqual(["411111******1111"]);
    expect(JSON.stringify(answer.body)).not.toContain(pan);
  }
  const long = await sendBody(`{"currency":"USD","amount":1,"${"x".repeat(49)}${pan}":1}`);
  expectRefusal(long, "400/131");
  expect(fieldsOf(long)).toEqual([`${"x".repeat(49)}411111******111…`]);
  const query = await sendSigned(service.client, "GET", `/cards?${pan}=1&cvv=123`);
  expectRefusal(query, "400/131");
  expect(fieldsOf(query)).toEqual(["411111******1111", "cvv"]);
});

describe("unknown paths and methods", () => {
  const unknown: [string, string][] = [
    ["GET", "/nowhere"],
    ["GET", ""],
    ["GET", "/"],
    ["GET", "/wallets/"],
    ["GET", "/Wallets"],
    ["GET", "/wallets/x/y/z"],
    ["GET", "//wallets"],
    ["GET", "/./wallets"],
    ["GET", "/../v1/wallets"],
    ["GET", "/wallets;a=1"],
    ["GET", "/wallets%2F"],
    ["GET", "/requests"],
    ["GET", "/requests/a/b"],
    ["GET", "/nowhere?x=1&x=2"],
    ["GET", "/%00"],
    ["GET", "/%zz"],
    ["GET", "/%E0%A4%A"],
    ["GET", "/%"],
    ["GET", `/${"x".repeat(8_000)}`],
    ["POST", "/wallets"],
    ["PUT", "/wallets"],
    ["PATCH", "/wallets"],
    ["DELETE", "/wallets"],
    ["OPTIONS", "/wallets"],
    ["TRACE", "/wallets"],
    ["PROPFIND", "/wallets"],
    ["GET", DEPOSITS],
    ["DELETE", DEPOSITS],
    ["POST", "/requests/x"],
  ];
  const shown = unknown.map(([method, path]) => [method, path.slice(0, 40), path] as const);

  test.each(shown)("%s %s is 404/157 to a client", async (method, _shown, path) => {
    expectRefusal(await sendSigned(service.client, method, path), "404/157");
  });

  test.each(shown)("%s %s is 401/146 to anybody else", async (method, _shown, path) => {
    const target = `/api/v1${path}`;
    expectRefusal(await sendRaw(service.sandbox.apiUrl, { method, target }), "401/146");
  });

  test.each<[string, string, string | undefined]>([
    ["not JSON", "{", "application/json"],
    ["of another type", "a=1", "application/x-www-form-urlencoded"],
    ["too large", "x".repeat(MAX_BODY_BYTES + 1), "application/json"],
  ])("a path stays unknown with a body that is %s", async (_name, body, contentType) => {
    const headers = { "Content-Type": contentType };
    const answer = await sendSigned(service.client, "POST", "/nowhere", { body, headers });
    expectRefusal(answer, "404/157");
  });

  test("HEAD is unknown too, and has no body", async () => {
    const answer = await sendSigned(service.client, "HEAD", "/wallets");
    expect(answer.status).toBe(404);
    expect(answer.body).toBeUndefined();
  });

  test.each(["/wallets", "/nowhere", "/%zz"])(
    "the service's address in the request line opens no other door to %s",
    async (path) => {
      const { apiUrl } = service.sandbox;
      const target = `${apiUrl}/api/v1${path}`;
      expectRefusal(await sendRaw(apiUrl, { method: "GET", target }), "401/146");
    },
  );

  test("outside of /api/v1 there is nothing to find either", async () => {
    for (const target of ["/", "/api", "/api/v2/wallets", "/api/v1x", "/wallets", "/%zz", "*"]) {
      const answer = await sendRaw(service.sandbox.apiUrl, { method: "GET", target });
      expectRefusal(answer, "404/157");
    }
  });
});

describe("a Reference is looked up whatever it holds, and never 404", () => {
  test.each(["a/b", "?", "#", "%", "%41", "a+b", "..", ".", "&=;", "\\\"'`<>{}|^[]", "~"])(
    "%s",
    async (text) => {
      const reference = `${text}-${newReference()}`.slice(0, 30);
      await sendSigned(service.client, "GET", "/wallets", { reference });
      const path = `/requests/${encodeURIComponent(reference)}`;
      const { status, body } = await sendSigned(service.client, "GET", path);
      expect(status).toBe(200);
      expect(body.data).toMatchObject({ reference, state: "Succeeded", path: "/api/v1/wallets" });
    },
  );

  test.each([
    ["nothing", ""],
    ["31 characters", "r".repeat(31)],
    ["256 characters", "r".repeat(256)],
    ["257 characters", "r".repeat(257)],
    ["8000 characters", "r".repeat(8_000)],
    ["a space", "%20"],
    ["a NUL", "%00"],
    ["a letter outside ASCII", "%C3%A9"],
    ["bytes that are no text", "%FF"],
    ["an escape that is none", "%zz"],
  ])("what cannot be a Reference is malformed: %s", async (_name, encoded) => {
    const answer = await sendSigned(service.client, "GET", `/requests/${encoded}`);
    expectRefusal(answer, "400/131");
    expect(fieldsOf(answer)).toEqual(["reference"]);
  });
});

describe("odd queries are read, not guessed", () => {
  const queries = [
    "?=",
    "?a",
    "?a=%zz",
    "?a=%FF",
    "?a=%00",
    "?__proto__=1",
    "?__proto__[x]=1",
    "?a[]=1&a[]=2",
    "?a=1;b=2",
    "?a=%20~'()*!+",
    `?a=${"x".repeat(8_000)}`,
    `?${Array.from({ length: 1_000 }, (_, i) => `a${i}`).join("&")}`,
  ];
  test.each(queries.map((query) => [query.slice(0, 40), query]))("%s", async (_shown, query) => {
    expectRefusal(await sendSigned(service.client, "GET", `/wallets${query}`), "400/131");
  });

  test.each(["?", "?&", "?&&"])("%s asks for nothing", async (query) => {
    const answer = await sendSigned(service.client, "GET", `/wallets${query}`);
    expect(verdict(answer)).toBe("200/000");
  });
});

describe("what is not HTTP is 400/131 in the same envelope", () => {
  const line = "GET /api/v1/wallets HTTP/1.1\r\nHost: x\r\n";

  test.each<[string, string | Buffer]>([
    ["garbage", "GARBAGE\r\n\r\n"],
    ["zeros", Buffer.alloc(64)],
    ["a TLS handshake", Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc])],
    ["an unknown method", "FETCH /api/v1/wallets HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["a method in lower case", "get /api/v1/wallets HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["another version", "GET /api/v1/wallets HTTP/9.9\r\nHost: x\r\n\r\n"],
    ["a space in the target", "GET /api/v1/wallets now HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["a header without a colon", `${line}Reference\r\n\r\n`],
    ["a header without a name", `${line}: value\r\n\r\n`],
    ["a header with a space in its name", `${line}Refer ence: x\r\n\r\n`],
    ["a header with a NUL", `${line}Reference: a\0b\r\n\r\n`],
    ["a header over two lines", `${line}Reference: a\r\n b\r\n\r\n`],
    ["two lengths", `${line}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
    ["a negative length", `${line}Content-Length: -1\r\n\r\n`],
    ["a length that is no number", `${line}Content-Length: x\r\n\r\n`],
    [
      "a length and chunks",
      `${line}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ["an encoding that is none", `${line}Transfer-Encoding: chunked, x\r\n\r\n0\r\n\r\n`],
    ["headers of more than 16 KiB", `${line}X-Long: ${"x".repeat(17 * 1024)}\r\n\r\n`],
    ["a target of more than 16 KiB", `GET /${"x".repeat(17 * 1024)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  ])("%s", async (_name, bytes) => {
    const answer = parseAnswer(await exchangeBytes(service.sandbox.apiUrl, bytes));
    if (answer === undefined) throw new Error("There was no answer.");
    expectRefusal(answer, "400/131");
    expect(answer.headers.get("connection")).toBe("close");
  });

  test("chunks that are none, in a request that has been authenticated", async () => {
    const answer = await sendBody("zz\r\n\r\n", { "Transfer-Encoding": "chunked" });
    expectRefusal(answer, "400/131");
  });
});

describe("headers that Node would answer by itself", () => {
  test("no Host", async () => {
    const bytes = "GET /api/v1/wallets HTTP/1.1\r\nConnection: close\r\n\r\n";
    const answer = parseAnswer(await exchangeBytes(service.sandbox.apiUrl, bytes));
    if (answer === undefined) throw new Error("There was no answer.");
    expect(["400/131", "401/146"]).toContain(verdict(answer));
  });

  test("an expectation that nobody knows", async () => {
    const answer = await sendBody(GOOD_BODY, { Expect: "the-unexpected" });
    expect(["200/000", "400/131"]).toContain(verdict(answer));
  });

  test("100-continue", async () => {
    expect(verdict(await sendBody(GOOD_BODY, { Expect: "100-continue" }))).toBe("200/000");
  });

  test("an upgrade to another protocol", async () => {
    const answer = await sendSigned(service.client, "GET", "/wallets", {
      headers: { Upgrade: "websocket" },
      change: (lines) => [...lines, ["Connection", "Upgrade"]],
    });
    expect(verdict(answer)).toBe("200/000");
  });
});

test("the service is none the worse for all that", async () => {
  expect((await fetch(`${service.sandbox.apiUrl}/readyz`)).status).toBe(200);
  expect(verdict(await service.client.get("/wallets"))).toBe("200/000");
});
