import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectRefusal, fieldsOf, REQUEST_ID, TIMESTAMP, WALLET_ID } from "./harness/answers.ts";
import { newReference } from "./harness/api-client.ts";
import { sendSigned } from "./harness/raw-http.ts";
import { startTestService, type TestService } from "./harness/service.ts";

const DEPOSITS = "/simulator/wallets/deposits";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** Deposits an amount as it is written, since JavaScript would write many numbers otherwise. */
const deposit = (currency: string, amount: string) =>
  service.client.post(DEPOSITS, `{"currency":"${currency}","amount":${amount}}`);

async function balanceOf(currency: string): Promise<number> {
  const { body } = await service.client.get("/wallets");
  const wallets: { currency: string; balance: number }[] = body.data;
  return wallets.find((wallet) => wallet.currency === currency)?.balance ?? 0;
}

describe("the envelope", () => {
  test("of a success has five fields, and no more", async () => {
    const { status, headers, body } = await service.client.get("/wallets");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toMatch(/^application\/json\b/);
    expect(body).toStrictEqual({
      responseCode: "000",
      responseMessage: "Success",
      finality: "TerminalSuccess",
      requestId: expect.stringMatching(REQUEST_ID),
      data: [
        {
          walletId: expect.stringMatching(WALLET_ID),
          currency: "USD",
          balance: 100_000,
          availableBalance: 100_000,
        },
      ],
    });
  });

  test("of a refusal has the same, without data, and no more", async () => {
    const { status, headers, body } = await service.client.get("/nowhere");
    expect(status).toBe(404);
    expect(headers.get("content-type")).toMatch(/^application\/json\b/);
    expect(body).toStrictEqual({
      responseCode: "157",
      responseMessage: "Unable to locate record",
      finality: "TerminalFailure",
      requestId: expect.stringMatching(REQUEST_ID),
      data: null,
    });
  });

  test("of 400/131 adds the fields that are wrong", async () => {
    const { status, body } = await service.client.post(DEPOSITS, { currency: "dollars" });
    expect(status).toBe(400);
    expect(body).toStrictEqual({
      responseCode: "131",
      responseMessage: "Invalid request",
      finality: "TerminalFailure",
      requestId: expect.stringMatching(REQUEST_ID),
      data: null,
      errors: [
        { field: "currency", message: expect.any(String) },
        { field: "amount", message: expect.any(String) },
      ],
    });
  });

  test("names every request anew", async () => {
    const answers = await Promise.all(
      ["/wallets", "/wallets", "/nowhere", "/nowhere"].map((path) => service.client.get(path)),
    );
    expect(new Set(answers.map(({ body }) => body.requestId)).size).toBe(answers.length);
  });
});

describe("times are ISO 8601 in UTC with milliseconds", () => {
  test("when the clock is moved", async () => {
    const { body } = await service.client.post("/simulator/clock/advance", { seconds: 1 });
    expect(body.data).toStrictEqual({ now: expect.stringMatching(TIMESTAMP) });
  });

  test("when a request was completed", async () => {
    const reference = newReference();
    await service.client.get("/wallets", { reference });
    const { body } = await service.client.get(`/requests/${reference}`);
    expect(body.data.completedAt).toMatch(TIMESTAMP);
  });
});

describe("amounts", () => {
  test.each([
    ["USD", "25.5", 25.5],
    ["USD", "0.01", 0.01], // the smallest there is
    ["USD", "10000000", 10_000_000], // the largest there is
    ["USD", "9999999.99", 9_999_999.99],
    ["USD", "1e3", 1000],
    ["USD", "1.5E+2", 150],
    ["USD", "1e-2", 0.01],
    ["USD", "1.10", 1.1],
    ["JPY", "1", 1],
    ["KWD", "1.005", 1.005], // a dinar has 1000 fils
    ["CLF", "0.0001", 0.0001], // four decimals
  ])("%s %s is taken, to the last decimal", async (currency, amount, value) => {
    const before = await balanceOf(currency);
    const { status, body } = await deposit(currency, amount);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ currency, balance: expect.closeTo(before + value, 6) });
    expect(await balanceOf(currency)).toBe(body.data.balance);
  });

  test.each([
    ["USD", "0"],
    ["USD", "0.00"],
    ["USD", "-0"],
    ["USD", "-1"],
    ["USD", "-0.01"],
    ["USD", "0.001"],
    ["USD", "1e-3"],
    ["USD", "1.005"],
    ["USD", "10000000.01"],
    ["USD", "10000001"],
    ["USD", "1e8"],
    ["USD", "1e308"],
    ["USD", "1e400"], // beyond what a double can hold
    ["USD", "1e-400"], // would be read as 0
    ["USD", "123456789012345678901234567890"],
    ["USD", "25.5000000000000000001"], // a double would quietly drop the last digits
    ["USD", "0.30000000000000004"],
    ["JPY", "1.5"],
    ["JPY", "0.5"],
    ["KWD", "1.0005"],
    ["USD", '"25.5"'], // text is not a number
    ["USD", '"abc"'],
    ["USD", "true"],
    ["USD", "null"],
    ["USD", "[25.5]"],
    ["USD", '{"value":25.5}'],
  ])("%s %s is refused with 400/111, and no money moves", async (currency, amount) => {
    const before = await balanceOf(currency);
    expectRefusal(await deposit(currency, amount), "400/111");
    expect(await balanceOf(currency)).toBe(before);
  });

  test("a missing amount is a malformed request, not a wrong amount", async () => {
    const answer = await service.client.post(DEPOSITS, { currency: "USD" });
    expectRefusal(answer, "400/131");
    expect(fieldsOf(answer)).toEqual(["amount"]);
  });

  test("sums of cents are exact", async () => {
    const before = await balanceOf("EUR");
    for (let i = 0; i < 10; i++) await deposit("EUR", "0.1");
    await deposit("EUR", "0.2");
    expect(await balanceOf("EUR")).toBe(before + 1.2);
  });
});

describe("currencies are ISO 4217 alpha-3", () => {
  test.each(["usd", "Usd", "US", "USDT", "XYZ", "840", "", " USD", "USD ", "US$", "＄ＵＳ"])(
    "%o is refused",
    async (currency) => {
      const answer = await service.client.post(DEPOSITS, { currency, amount: 1 });
      expectRefusal(answer, "400/131");
      expect(fieldsOf(answer)).toEqual(["currency"]);
    },
  );

  test.each([null, 840, true, ["USD"], { code: "USD" }])("%o is refused", async (currency) => {
    const answer = await service.client.post(DEPOSITS, { currency, amount: 1 });
    expectRefusal(answer, "400/131");
    expect(fieldsOf(answer)).toEqual(["currency"]);
  });
});

describe("fields that are not in the interface are refused by name", () => {
  test.each([
    [{ currency: "USD", amount: 1, note: "x" }, ["note"]],
    [{ currency: "USD", amount: 1, Amount: 1 }, ["Amount"]], // names are case-sensitive
    [{ currency: "USD", amount: 1, constructor: 1 }, ["constructor"]],
    [{ currency: "USD", amount: 1, a: 1, b: null }, ["a", "b"]],
  ])("%j", async (body, fields) => {
    const before = await balanceOf("USD");
    const answer = await service.client.post(DEPOSITS, body);
    expectRefusal(answer, "400/131");
    expect(fieldsOf(answer)).toEqual(fields);
    expect(await balanceOf("USD")).toBe(before);
  });

  test.each([
    ["/wallets?currency=USD", ["currency"]],
    ["/wallets?a=1&b=2", ["a", "b"]],
    ["/wallets?a=1&a=2", ["a"]],
    ["/requests/any?verbose=1", ["verbose"]],
  ])("in the query %s", async (path, fields) => {
    const answer = await service.client.get(path);
    expectRefusal(answer, "400/131");
    expect(fieldsOf(answer)).toEqual(fields);
  });

  test("in the query of a POST", async () => {
    const answer = await service.client.post(`${DEPOSITS}?dryRun=1`, {
      currency: "USD",
      amount: 1,
    });
    expectRefusal(answer, "400/131");
    expect(fieldsOf(answer)).toEqual(["dryRun"]);
  });

  test("but an empty query is no field", async () => {
    expect((await sendSigned(service.client, "GET", "/wallets?")).status).toBe(200);
  });
});

describe("the clock", () => {
  const MAX_S = 400 * 24 * 3600;
  test.each(["0", "-1", "1.5", `${MAX_S + 1}`, '"60"', "null", "1e400", "9007199254740993"])(
    "does not move by %s seconds",
    async (seconds) => {
      const answer = await service.client.post(
        "/simulator/clock/advance",
        `{"seconds":${seconds}}`,
      );
      expectRefusal(answer, "400/131");
    },
  );
});
