/**
 * The programmes of an installation that names no file, written as a file would. Their BINs are
 * those of well-known test cards, and their rates are for play: real programmes bring their own.
 */
export const defaultProgrammes = [
  {
    programmeId: "usd-us",
    currency: "USD",
    country: "US",
    brand: "Visa",
    bin: "411111",
    fx: {
      CAD: "0.73",
      EUR: "1.08",
      GBP: "1.27",
      GHS: "0.065",
      KES: "0.0077",
      NGN: "0.00065",
      ZAR: "0.055",
    },
  },
  {
    programmeId: "ngn-ng",
    currency: "NGN",
    country: "NG",
    brand: "Verve",
    bin: "506099",
    topUpMaximum: 5_000_000,
    withdrawalMinimumLeft: 100,
    fx: { EUR: "1660", GBP: "1950", GHS: "100", KES: "11.85", USD: "1540" },
  },
] as const;
