import fc from "fast-check";
import { expect, test } from "vitest";
import { commonWords } from "./common-words.ts";
import { MAX_PASSWORD_BYTES, problemOfPassword } from "./password-rules.ts";

const known = {
  email: "ada.obi@lagoon.example",
  name: "Walter Grünbaum-Groß",
  organizationName: "Marigold & Sons",
};

test.each([
  ["Quietly-orbiting-teapot-91"],
  ["correct horse battery staple"],
  ["сорок две зелёные черепахи"],
  ["8sK!x0qv#Lm2Zp"],
  ["四十二匹の緑色の亀が池の中で静かに泳ぐ"],
  ["the password of my neighbour's parrot"], // A common word may be part of it.
  ["An-entirely-different-lantern"],
  ["Seven-brass-hinges-on-a-boat"],
  ["Walter waters eleven cacti"], // So may a name.
  ["assessed properties were redressed"], // Words that keys next to each other make.
  ["brassLantern2024"],
  ["mjolkpaket-9-hund"],
  ["kdqz7vmwp4821"],
  ["Donaudampfschiff!"],
])("%s is taken", (password) => {
  expect(problemOfPassword(password, known)).toBeUndefined();
});

test.each([
  ["short", /at least 12/],
  ["elevenchars", /at least 12/],
  ["aaaaaaaaaaaaaaaa", /repeat/],
  ["abcabcabcabcabc", /repeat/],
  ["password123456", /easy to guess/],
  ["P@ssw0rdP@ssw0rd!", /easy to guess/],
  ["Welcome2026!!!!", /easy to guess/],
  ["qwertyuiop1234", /easy to guess/],
  ["abcdefghijklmnop", /easy to guess/],
  ["123456789012345", /easy to guess/],
  ["iloveyou-iloveyou", /easy to guess/],
  ["987654321-admin", /easy to guess/],
  ["1q2w3e4r5t6y", /easy to guess/],
  ["q1w2e3r4t5y6", /easy to guess/],
  ["qazwsxedcrfv", /easy to guess/],
  ["QAZ-WSX-EDC-RFV", /easy to guess/],
  ["zaq1xsw2cde3vfr4", /easy to guess/],
  ["1qazxsw23edc", /easy to guess/],
  ["qwedsazxcvfr", /easy to guess/], // A walk from key to key.
  ["1a2b3c4d5e6f", /easy to guess/],
  ["aabbccddeeff", /easy to guess/],
  ["aaaabbbbcccc", /easy to guess/],
  ["xyxyxyzwzwzw", /easy to guess/],
  ["michelle1234", /easy to guess/],
  ["M1chelle1234!", /easy to guess/],
  ["samantha2024", /easy to guess/],
  ["fuckyou12345", /easy to guess/],
  ["elephant2024", /easy to guess/], // One word and a year, whatever the word.
  ["Elephant#1234!", /easy to guess/],
  ["WalterGrünbaum1", /easy to guess/],
  ["walter.gruenbaum.99", /easy to guess/],
  ["WALTER-grunbaum-gross", /easy to guess/],
  ["my ada.obi secret word", /your e-mail address/],
  ["MARIGOLD forever yes", /your e-mail address or/],
  ["m4r1gold blooms late", /your e-mail address or/], // Digits for letters fool nobody.
  ["x".repeat(MAX_PASSWORD_BYTES + 1), /at most/],
])("%s is refused", (password, why) => {
  expect(problemOfPassword(password, known)).toMatch(why);
});

test("the first names of neither address nor organization count when they are very short", () => {
  const short = { email: "jo@x.example", name: "Jo Li", organizationName: "A B C" };
  expect(problemOfPassword("jolly-crimson-violins-at-dawn", short)).toBeUndefined();
});

test("long passwords are taken whole, and every text gets an answer", () => {
  const random = fc.string({ unit: "grapheme", maxLength: 300 });
  fc.assert(
    fc.property(random, (password) => {
      const problem = problemOfPassword(password, known);
      expect(problem === undefined || problem.length > 0).toBe(true);
      if ([...password].length < 12) expect(problem).toMatch(/at least 12/);
    }),
  );
  expect(problemOfPassword("quiet brass lantern ".repeat(60), known)).toBeUndefined();
});

test("a common word with digits behind it is refused, whatever the digits", () => {
  const digits = fc.stringMatching(/^\d{8,14}$/);
  fc.assert(
    fc.property(fc.constantFrom(...commonWords), digits, (word, tail) => {
      fc.pre(word.length + tail.length >= 12);
      expect(problemOfPassword(word + tail, known)).toMatch(/easy to guess|repeat/);
    }),
  );
});

const ordinary =
  `lantern hinge teapot gravel walnut meadow cactus violin harbour pebble saddle ladder
  thimble copper turnip anchor basket candle feather kettle`.split(/\s+/);

test("a few ordinary words are taken, however they are joined", () => {
  const words = fc.uniqueArray(fc.constantFrom(...ordinary), { minLength: 3, maxLength: 6 });
  fc.assert(
    fc.property(words, fc.constantFrom(" ", "-", "", "7", "_2024_"), (chosen, between) => {
      expect(problemOfPassword(chosen.join(between), known)).toBeUndefined();
    }),
  );
});
