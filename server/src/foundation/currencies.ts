// ISO 4217 list one up to amendment 180 (January 2026), without the codes that have no minor
// unit to count in: metals, test codes and drawing rights.
const noDecimals = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF";
const threeDecimals = "BHD IQD JOD KWD LYD OMR TND";
const fourDecimals = "CLF UYW";
const twoDecimals = [
  "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD",
  "CAD CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP",
  "GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK",
  "LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO",
  "NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS",
  "SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST",
  "XAD XCD XCG YER ZAR ZMW ZWG",
] as const;

type Words<
  Text extends string,
  Found extends string = never,
> = Text extends `${infer Word} ${infer Rest}` ? Words<Rest, Found | Word> : Found | Text;

/** An ISO 4217 alpha-3 code of a currency that is in use today. */
export type Currency = Words<
  (typeof twoDecimals)[number] | typeof noDecimals | typeof threeDecimals | typeof fourDecimals
>;

const exponents: ReadonlyMap<string, number> = new Map(
  [
    { exponent: 0, list: noDecimals },
    { exponent: 2, list: twoDecimals.join(" ") },
    { exponent: 3, list: threeDecimals },
    { exponent: 4, list: fourDecimals },
  ].flatMap(({ exponent, list }) => list.split(" ").map((code) => [code, exponent] as const)),
);

export function isCurrency(text: string): text is Currency {
  return exponents.has(text);
}

/** How many decimals the currency has: 2 for USD, because 1.00 USD is 100 minor units. */
export function exponentOf(currency: Currency): number {
  const exponent = exponents.get(currency);
  // A code from an old row or a careless cast must never be taken for one with two decimals.
  if (exponent === undefined) throw new RangeError(`Unknown currency: ${currency}`);
  return exponent;
}
