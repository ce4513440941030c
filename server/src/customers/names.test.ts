import fc from "fast-check";
import { expect, test } from "vitest";
import { nameOccurs, nameParts } from "./names.ts";

test.each<[string, string[]]>([
  ["Ada", ["ADA"]],
  ["  ada \t  OBI\n", ["ADA", "OBI"]],
  ["Adéṣínà", ["ADESINA"]],
  ["Ade\u0301s\u0323i\u0301na\u0300", ["ADESINA"]],
  ["Ɗan-Ƙasa ɓala ƴar", ["DAN", "KASA", "BALA", "YAR"]],
  ["Ɔdɔfo Ɛsi Ŋkansa", ["ODOFO", "ESI", "NGKANSA"]],
  ["O'Brien O’Brien OʼBrien O`Brien", ["OBRIEN", "OBRIEN", "OBRIEN", "OBRIEN"]],
  ["Jean-Luc; (d'Arc), Jr.", ["JEAN", "LUC", "DARC", "JR"]],
  ["Ａｄａ", ["ADA"]],
  ["ﬁona", ["FIONA"]],
  ["Weiß WEIẞ ΟΔΥΣΣΕΥΣ οδυσσευς ışık", ["WEISS", "WEISS", "ΟΔΥΣΣΕΥΣ", "ΟΔΥΣΣΕΥΣ", "ISIK"]],
  ["Łukasz Øyvind Ægir Þór", ["LUKASZ", "OYVIND", "AEGIR", "THOR"]],
  ["A\u200bd\u200da\ufeff", ["ADA"]],
  ["\u202eibO\u202c \u2066adA\u2069", ["IBO", "ADA"]],
  ["Ada 👩🏾‍⚖️ Obi 🇳🇬", ["ADA", "OBI"]],
  ["محمد مُحَمَّد", ["محمد", "محمد"]],
  ["राम रमा", ["राम", "रमा"]],
  ["王小明", ["王小明"]],
  ["Ada2", ["ADA2"]],
  ["", []],
  ["' - \u200b 👍🏽 …", []],
  ["\ud83d Ada", ["ADA"]],
])("the parts of %j are %j", (name, parts) => {
  expect(nameParts(name)).toEqual(parts);
});

test.each<[string, string[], boolean]>([
  ["Ada", ["Ada", "Eze"], true],
  ["Ada", ["Eze", "ADA"], true],
  ["Ada", ["Chioma Ada", "Eze"], true],
  ["Ada Chioma", ["Chioma", "Ada"], true],
  ["Ada Chioma", ["Chioma-Ada", ""], true],
  ["De Souza", ["Maria", "DeSouza"], true],
  ["DeSouza", ["Maria", "De Souza"], true],
  ["Ada Chioma", ["Ada", "Eze"], false],
  ["Ada", ["Adaobi", "Eze"], false],
  ["Ada", ["A", "da"], false],
  ["Ada", ["Аda", "Eze"], false], // a Cyrillic А
  ["Ada", ["", ""], false],
  ["", ["Ada", "Obi"], false],
  ["", ["", ""], false],
  ["👍", ["👍", "👍"], false],
])("%j occurs in %j: %j", (recorded, submitted, expected) => {
  expect(nameOccurs(recorded, submitted)).toBe(expected);
});

const letters = fc.string({
  unit: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz"),
  minLength: 1,
  maxLength: 8,
});
const nameOfParts = fc.array(letters, { minLength: 1, maxLength: 4 });
const noise = fc.array(fc.constantFrom("\u200b", "\u202e", "\u0301", "\ufe0f", "'", "\u00ad"), {
  maxLength: 3,
});

test("case, accents, order, spaces and unseen characters do not matter", () => {
  const disguised = fc.tuple(nameOfParts, noise, fc.boolean()).chain(([parts, marks, upper]) =>
    fc.record({
      name: fc.constant(parts.join(" ")),
      disguise: fc.shuffledSubarray(parts, { minLength: parts.length }).map((shuffled) => {
        const text = shuffled.map((part) => part + marks.join("")).join(" \t - ");
        return upper ? text.toUpperCase() : text;
      }),
    }),
  );
  fc.assert(
    fc.property(disguised, letters, ({ name, disguise }, other) => {
      expect(nameOccurs(name, [disguise, other])).toBe(true);
      expect(nameOccurs(name, [other, disguise])).toBe(true);
    }),
  );
});

test("names without a common part do not match, unless they are the same letters", () => {
  fc.assert(
    fc.property(nameOfParts, nameOfParts, (recorded, submitted) => {
      fc.pre(!recorded.some((part) => submitted.includes(part)));
      fc.pre(recorded.join("") !== submitted.join(""));
      expect(nameOccurs(recorded.join(" "), [submitted.join(" ")])).toBe(false);
    }),
  );
});

test("parts are the same however often they are taken, and never empty", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 40 }), (name) => {
      const parts = nameParts(name);
      expect(nameParts(parts.join(" "))).toEqual(parts);
      expect(parts).not.toContain("");
    }),
    { numRuns: 500 },
  );
});

test("a name of 10,000 characters is just a long name", () => {
  const long = "é".repeat(10_000);
  expect(nameOccurs("E".repeat(10_000), [long, ""])).toBe(true);
  expect(nameOccurs("E".repeat(9_999), [long, ""])).toBe(false);
});
