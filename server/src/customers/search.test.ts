import fc from "fast-check";
import { expect, test } from "vitest";
import { searchName, searchWords } from "./search.ts";

test.each<[string[], string[]]>([
  [
    ["Ada", "Obi"],
    ["ADA", "OBI"],
  ],
  [
    ["Yẹmí", "Adéṣínà"],
    ["YEMI", "ADESINA"],
  ],
  [
    ["Hauwa'u Amina", "Ɗan-Juma"],
    ["HAUWAU", "AMINA", "DAN", "JUMA"],
  ],
  [["Obi & Sons, Ltd."], ["OBI", "SONS", "LTD"]],
  [["Ada", "ada ADA"], ["ADA"]],
  [
    ["小明", "李"],
    ["小明", "李"],
  ],
  [["?!", "…"], []],
])("%j is found by %j", (names, words) => {
  expect(searchWords(...names)).toEqual(words);
});

test("the beginning of a word stands behind a space", () => {
  expect(searchName(["ADA", "OBI"])).toBe(" ADA OBI");
  expect(searchName([])).toBe("");
});

test("whatever is written, the words fit into an index, and are found again by themselves", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 100 }), (name) => {
      const words = searchWords(name);
      expect(words.length).toBeLessThanOrEqual(20);
      for (const word of words) {
        expect(Buffer.byteLength(word)).toBeLessThanOrEqual(256);
        expect(Buffer.from(word).toString()).toBe(word);
      }
    }),
  );
});

test("a ligature that unfolds to a sentence is cut", () => {
  const [word = ""] = searchWords("\u{FDFA}".repeat(100));
  expect([...word].length).toBeLessThanOrEqual(64);
  expect(searchWords("😀𝒜".repeat(200)).length).toBeLessThanOrEqual(20);
});
