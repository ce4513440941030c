import fc from "fast-check";
import { expect, test } from "vitest";
import { embossedName } from "./embossed-name.ts";

test.each([
  ["Ada Obi", "ADA OBI"],
  ["  ada\t obi ", "ADA OBI"],
  ["José Núñez", "JOSE NUNEZ"],
  ["Łukasz Ægirsson", "LUKASZ AEGIRSSON"],
  ["Ɗan Ƙasa", "DAN KASA"], // Hausa
  ["Straße", "STRASSE"],
  ["Mary-Jane O’Neill", "MARY-JANE O'NEILL"],
  ["Jean‑Luc", "JEAN-LUC"], // a hyphen that does not break
  ["J. R. Okafor", "J. R. OKAFOR"],
  ["Obi & Sons Ltd.", "OBI AND SONS LTD."],
  ["Acme (Nigeria) Ltd", "ACME NIGERIA LTD"],
  ["- Ada -", "ADA"],
  ["'Ada'", "ADA"],
  ["7 Stars", "STARS"],
  ["Ada Обі", "ADA"], // what has no Latin letter is left out
  ["李小龙", "CARDHOLDER"],
  ["", "CARDHOLDER"],
  ["Maximiliana Bartholomea Featherstonehaugh", "MAXIMILIANA BARTHOLOMEA FE"],
  ["Abcdefghijklmnopqrstuvwxy Zeta", "ABCDEFGHIJKLMNOPQRSTUVWXY"], // no space at the end
])("%j is embossed as %j", (name, embossed) => {
  expect(embossedName(name)).toBe(embossed);
});

test("whatever the name, it can be embossed", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 80 }), (name) => {
      expect(embossedName(name)).toMatch(/^(?=.*[A-Z])[A-Z .'-]{1,26}$/);
    }),
  );
});
