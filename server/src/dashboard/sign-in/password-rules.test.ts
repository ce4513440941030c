import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_PASSWORD_BYTES, problemOfPassword } from "./password-rules.ts";

const known = { email: "ada.obi@lagoon.example", organizationName: "Marigold & Sons" };

test.each([
  ["Quietly-orbiting-teapot-91"],
  ["correct horse battery staple"],
  ["сорок две зелёные черепахи"],
  ["8sK!x0qv#Lm2Zp"],
  ["四十二匹の緑色の亀が池の中で静かに泳ぐ"],
  ["the password of my neighbour's parrot"], // A common word may be part of it.
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
  ["my ada.obi secret word", /your e-mail address/],
  ["MARIGOLD forever yes", /your e-mail address or/],
  ["m4r1gold blooms late", /your e-mail address or/], // Digits for letters fool nobody.
  ["x".repeat(MAX_PASSWORD_BYTES + 1), /at most/],
])("%s is refused", (password, why) => {
  expect(problemOfPassword(password, known)).toMatch(why);
});

test("the first names of neither address nor organization count when they are very short", () => {
  const short = { email: "jo@x.example", organizationName: "A B C" };
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
