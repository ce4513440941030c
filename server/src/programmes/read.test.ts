import fc from "fast-check";
import { expect, test } from "vitest";
import { newPan } from "../cards/pan.ts";
import { ConfigError } from "../foundation/config/config.ts";
import { readProgrammes } from "./read.ts";

const least = {
  programmeId: "eur-de",
  currency: "EUR",
  country: "Germany",
  brand: "Mastercard",
  bin: "55555555",
};

function problemsOf(content: unknown): readonly string[] {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  try {
    readProgrammes(text);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

test("without a file there are a dollar and a naira programme", () => {
  const [usd, ngn, ...others] = readProgrammes();
  expect(others).toEqual([]);
  expect(usd).toMatchObject({
    programmeId: "usd-us",
    currency: "USD",
    country: "US",
    brand: "Visa",
    topUpMaximumMinor: 1_000_000n,
    withdrawalMinimumLeftMinor: 100n,
    liteMinimumMinor: 100n,
    liteMaximumMinor: 1_000_000n,
    liteMaximumSwipes: 1000,
    crossBorderRateBps: 200,
    holdDays: 7,
    preAuthorizationHoldDays: 31,
  });
  expect(ngn).toMatchObject({ programmeId: "ngn-ng", currency: "NGN", country: "NG" });
  for (const { bin, panLength } of readProgrammes()) {
    expect(newPan(bin, panLength)).toHaveLength(panLength);
  }
});

test("a file replaces the defaults, and what it leaves out has a sensible value", () => {
  expect(readProgrammes(JSON.stringify([least]))).toEqual([
    {
      ...least,
      country: "DE",
      panLength: 16,
      expiryYears: 3,
      topUpMaximumMinor: 1_000_000n,
      withdrawalMinimumLeftMinor: 100n,
      liteMinimumMinor: 100n,
      liteMaximumMinor: 1_000_000n,
      liteMaximumSwipes: 1000,
      negativeBalanceToleranceMinor: 0n,
      overCaptureToleranceBps: 0,
      crossBorderRateBps: 200,
      holdDays: 7,
      preAuthorizationHoldDays: 31,
      terminateNegativeAfterDays: null,
      autoRegularize: false,
      fx: {},
    },
  ]);
});

test("amounts are in major units of the programme's own currency", () => {
  const amounts = { topUpMaximum: 2500.125, withdrawalMinimumLeft: 0, liteMinimum: 0.001 };
  const entry = { ...least, currency: "KWD", ...amounts, fx: { USD: "0.307" } };
  const [programme] = readProgrammes(JSON.stringify([entry]));
  expect(programme).toMatchObject({
    topUpMaximumMinor: 2_500_125n,
    withdrawalMinimumLeftMinor: 0n,
    liteMinimumMinor: 1n,
    liteMaximumMinor: 10_000_000n,
    fx: { USD: "0.307" },
  });
});

test.each<[field: string, value: unknown, problem: RegExp]>([
  ["programmeId", "EUR DE", /lower-case/],
  ["programmeId", undefined, /is required$/],
  ["programmeId", "a".repeat(41), /40/],
  ["currency", "eur", /ISO 4217/],
  ["currency", undefined, /ISO 4217/],
  ["country", "Narnia", /country/],
  ["country", 49, /string/],
  ["brand", "Monopoly", /one of Visa, Mastercard, Verve$/],
  ["bin", "44444", /6 to 8 digits/],
  ["bin", "444444444", /6 to 8 digits/],
  ["bin", 555555, /string/],
  ["panLength", 15, /16/],
  ["panLength", 20, /19/],
  ["expiryYears", 0, /at least 1$/],
  ["expiryYears", 2.5, /a whole number$/],
  ["topUpMaximum", 0, /greater than 0/],
  ["topUpMaximum", -5, /negative/],
  ["topUpMaximum", 1.005, /more decimals than EUR allows/],
  ["topUpMaximum", 10_000_001, /above/],
  ["topUpMaximum", "100", /number/],
  ["liteMinimum", 0, /greater than 0/],
  ["liteMaximum", 0.5, /below liteMinimum/],
  ["liteMaximumSwipes", 0, /at least 1$/],
  ["negativeBalanceTolerance", -1, /negative/],
  ["overCaptureToleranceBps", 10_001, /10000/],
  ["crossBorderRateBps", 2.5, /a whole number$/],
  ["crossBorderRateBps", -1, /at least 0$/],
  ["holdDays", 0, /at least 1$/],
  ["preAuthorizationHoldDays", 366, /365/],
  ["terminateNegativeAfterDays", 0, /at least 1$/],
  ["autoRegularize", "yes", /true or false$/],
  ["topUpMaximumMinor", 5, /not a known field/],
  ["fx", [], /must be an object$/],
])("%s = %j is one problem, told by its place", (field, value, problem) => {
  expect(problemsOf([least, { ...other, [field]: value }])).toEqual([
    expect.stringMatching(new RegExp(`^FLORIN_PROGRAMMES_FILE: \\[1\\]\\.${field}: `)),
  ]);
  expect(problemsOf([{ ...least, [field]: value }])).toEqual([expect.stringMatching(problem)]);
});

const other = { ...least, programmeId: "chf-ch", currency: "CHF", bin: "55555656" };

test.each<[key: string, value: unknown, problem: RegExp]>([
  ["USD", 1.08, /string/], // A JSON number could not hold every rate.
  ["USD", "0", /above 0/],
  ["USD", "-1", /above 0/],
  ["USD", "1e3", /above 0/],
  ["EUR", "1", /another currency/], // Its own needs no rate.
  ["XXX", "1", /another currency/],
])("the rate %s: %j is refused", (key, value, problem) => {
  const [first, ...more] = problemsOf([{ ...least, fx: { [key]: value } }]);
  expect(more).toEqual([]);
  expect(first).toContain(`[0].fx.${key}: `);
  expect(first).toMatch(problem);
});

test.each([
  ["programmeId", "eur-de", "[1].programmeId: clashes with [0].programmeId"],
  ["currency", "EUR", "[1].currency: clashes with [0].currency"],
  ["bin", "55555555", "[1].bin: clashes with [0].bin"],
  ["bin", "555555", "[1].bin: clashes with [0].bin"], // All cards of the first begin with it too.
])("a second %s of %s is refused", (field, value, problem) => {
  expect(problemsOf([least, { ...other, [field]: value }])).toEqual([
    `FLORIN_PROGRAMMES_FILE: ${problem}`,
  ]);
});

test("a shorter BIN before a longer one clashes as well", () => {
  expect(problemsOf([{ ...least, bin: "555556" }, other])).toEqual([
    expect.stringContaining("[1].bin"),
  ]);
});

test("everything is told at once, also what depends on other fields", () => {
  const bad = { ...least, bin: "x", holdDays: 0, liteMinimum: 20_000, nonsense: 1 };
  const places = problemsOf([bad, 5, null, { ...least, brand: "Diners", bin: "411111" }]).map(
    (problem) => /^FLORIN_PROGRAMMES_FILE: ([^:]+):/.exec(problem)?.[1],
  );
  expect(places).toEqual([
    "[0].bin",
    "[0].holdDays",
    "[0].nonsense",
    "[0].liteMaximum",
    "[1]",
    "[2]",
    "[3].brand",
    "[3].programmeId",
    "[3].currency",
  ]);
});

test.each([
  ["nothing", "", /empty/],
  ["half of JSON", "[", /The file is not valid JSON/],
  ["no list", "{}", /list of 1 to 100/],
  ["an empty list", "[]", /list of 1 to 100/],
  ["a list without end", JSON.stringify(Array(101).fill(least)), /list of 1 to 100/],
  ["a field twice", '[{"bin":"1","bin":"2"}]', /given twice/],
  ["a number that would be rounded", '[{"liteMinimum":1.00000000000000000001}]', /more digits/],
])("a file with %s is refused", (_, text, problem) => {
  expect(problemsOf(text)).toEqual([expect.stringMatching(problem)]);
});

test("whatever JSON the file holds, it is read or refused with reasons", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 3 }), (content) => {
      expect(problemsOf(content).length).toBeGreaterThan(0);
    }),
  );
});
