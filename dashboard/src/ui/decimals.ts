/** Currencies of ISO 4217 that do not have two decimals; the browser's own list follows people's habits. */
const EXCEPTIONS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
    3: "BHD IQD JOD KWD LYD OMR TND",
    4: "CLF UYW",
  }).flatMap(([decimals, codes]) => codes.split(" ").map((code) => [code, Number(decimals)])),
);

/** As many as the service takes; none is known of what is no currency. */
export function decimalsOf(currency: string): number | undefined {
  if (!/^[A-Z]{3}$/.test(currency)) return undefined;
  return EXCEPTIONS.get(currency) ?? 2;
}
