import fc from "fast-check";
import { expect, test } from "vitest";
import { alpha3Of, type CountryCode, isCountryCode, parseCountry } from "./countries.ts";

const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const pairs = letters.flatMap((a) => letters.map((b) => a + b));
const triples = pairs.flatMap((pair) => letters.map((c) => pair + c));

test("there are 249 countries, each with one alpha-2 and one alpha-3 code", () => {
  const codes = pairs.filter(isCountryCode);
  expect(codes).toHaveLength(249);
  for (const code of codes) expect(parseCountry(code)).toBe(code);
  // Abbreviations of three letters are names, and come on top of the alpha-3 codes.
  const named = ["BVI", "DRC", "KSA", "PRC", "UAE"];
  const alpha3 = triples.filter((triple) => parseCountry(triple) && !named.includes(triple));
  expect(new Set(alpha3.map(parseCountry))).toEqual(new Set(codes));
  expect(alpha3).toHaveLength(249);
});

test.each<[code: CountryCode, texts: string[]]>([
  ["US", ["US", "us", "USA", "U.S.A.", "United States", "United States of America"]],
  ["GB", ["GBR", "UK", "U.K.", "Great Britain", "the United Kingdom", "England", "Scotland"]],
  ["NG", ["NG", "nga", " Nigeria ", "NIGERIA", "Federal Republic of Nigeria"]],
  ["CI", ["Côte d'Ivoire", "Cote d’Ivoire", "COTE DIVOIRE", "Ivory Coast"]],
  ["KR", ["South Korea", "Korea, Republic of", "Korea (the Republic of)", "KOR"]],
  ["KP", ["North Korea", "Korea, Democratic People's Republic of", "DPRK"]],
  ["CD", ["Congo, The Democratic Republic of the", "DR Congo", "DRC", "Congo - Kinshasa"]],
  ["CG", ["Congo", "Republic of the Congo", "Congo-Brazzaville"]],
  ["TZ", ["Tanzania", "Tanzania, United Republic of"]],
  ["RU", ["Russia", "Russian Federation"]],
  ["VN", ["Vietnam", "Viet Nam"]],
  ["TR", ["Türkiye", "Turkiye", "Turkey", "Tu\u0308rkiye"]],
  ["SZ", ["Eswatini", "Swaziland"]],
  ["MK", ["North Macedonia", "Macedonia"]],
  ["CZ", ["Czechia", "Czech Republic"]],
  ["NL", ["Netherlands", "The Netherlands", "Netherlands (Kingdom of the)", "Holland"]],
  ["CV", ["Cabo Verde", "Cape Verde"]],
  ["MM", ["Myanmar", "Burma"]],
  ["GM", ["Gambia", "The Gambia", "Gambia (the)"]],
  ["AE", ["UAE", "U.A.E.", "United Arab Emirates"]],
  ["LC", ["St. Lucia", "St Lucia", "Saint Lucia"]],
  ["TT", ["Trinidad & Tobago", "Trinidad and Tobago"]],
  ["VI", ["Virgin Islands, U.S.", "U.S. Virgin Islands", "Virgin Islands (U.S.)"]],
  ["GW", ["Guinea-Bissau", "Guinea Bissau"]],
  ["ST", ["ST", "STP", "São Tomé & Príncipe"]], // ST is not "Saint".
  ["AD", ["AND", "and", "Andorra"]], // AND is not a word to be left out.
  ["NA", ["NA", "Namibia"]],
  ["CW", ["Curaçao", "Curacao"]],
])("%s: %j", (code, texts) => {
  expect(texts.map(parseCountry)).toEqual(texts.map(() => code));
});

test.each([
  ["empty", ["", " ", "the", "of the", "."]],
  ["more than one country", ["Korea", "Virgin Islands", "Nigeria Ghana"]],
  ["not in the standard", ["XK", "Kosovo", "EU", "AN", "SU", "YUG", "Atlantis"]],
  ["almost a name", ["Nigeri", "Nigeria2", "Nigeria Ж", "N G", "toString", "__proto__"]],
  ["too long", [`Nigeria${".".repeat(100)}`]],
])("refuses what is %s: %j", (_, texts) => {
  expect(texts.filter((text) => parseCountry(text) !== undefined)).toEqual([]);
});

test.each(["us", "USA", "UK", "", "constructor", "XX"])("%j is no alpha-2 code", (text) => {
  expect(isCountryCode(text)).toBe(false);
});

test("case, accents and punctuation around words never matter", () => {
  const names = fc.constantFrom("Côte d'Ivoire", "Burkina Faso", "Åland Islands", "New Zealand");
  const gap = fc.constantFrom(" ", "-", ", ", "  ", " – ", "\t", " & ");
  fc.assert(
    fc.property(names, gap, fc.boolean(), fc.boolean(), (name, between, isUpper, isBare) => {
      const plain = isBare ? name.normalize("NFD").replace(/\p{M}/gu, "") : name;
      const cased = isUpper ? plain.toUpperCase() : plain.toLowerCase();
      const written = `${between}${cased.replaceAll(" ", between)}${between}`;
      expect(parseCountry(written)).toBe(parseCountry(name));
      expect(parseCountry(name)).toBeDefined();
    }),
  );
});

test.each<[CountryCode, string]>([
  ["NG", "NGA"],
  ["GH", "GHA"],
  ["GB", "GBR"],
])("%s is %s in three letters", (code, alpha3) => {
  expect(alpha3Of(code)).toBe(alpha3);
  expect(parseCountry(alpha3)).toBe(code);
});
