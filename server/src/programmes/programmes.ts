import type { CountryCode } from "../foundation/countries.ts";
import type { Currency } from "../foundation/currencies.ts";
import { Failure } from "../foundation/failure.ts";

export const brands = ["Visa", "Mastercard", "Verve"] as const;

/** What kind of card can be issued in a currency, and by which numbers it lives. */
export interface Programme {
  readonly programmeId: string;
  readonly currency: Currency;
  /** Merchants elsewhere make a purchase cross-border. */
  readonly country: CountryCode;
  readonly brand: (typeof brands)[number];
  /** The 6 to 8 digits that all card numbers begin with. */
  readonly bin: string;
  readonly panLength: number;
  readonly expiryYears: number;
  /** The most that one top-up may bring; issuing with more is allowed. */
  readonly topUpMaximumMinor: bigint;
  /** What a withdrawal must leave available. */
  readonly withdrawalMinimumLeftMinor: bigint;
  readonly liteMinimumMinor: bigint;
  readonly liteMaximumMinor: bigint;
  readonly liteMaximumSwipes: number;
  /** How far below zero an account may be without keeping its customer from new cards. */
  readonly negativeBalanceToleranceMinor: bigint;
  /** How far a settlement may exceed its hold before it counts as over-captured. */
  readonly overCaptureToleranceBps: number;
  readonly crossBorderRateBps: number;
  readonly holdDays: number;
  readonly preAuthorizationHoldDays: number;
  /** Days after which the cards of a negative account are terminated; null: never. */
  readonly terminateNegativeAfterDays: number | null;
  /** Whether the wallet settles a negative account by itself once its cards are terminated. */
  readonly autoRegularize: boolean;
  /** Major units of the programme's currency for one of another, as decimal text. */
  readonly fx: Readonly<Partial<Record<Currency, string>>>;
}

/** What a programme bills in, and at which rates. */
export type Rates = Pick<Programme, "currency" | "fx">;

/** The one programme of a currency, if cards can be issued in it. */
export function programmeOf(
  programmes: readonly Programme[],
  currency: Currency,
): Programme | undefined {
  return programmes.find((programme) => programme.currency === currency);
}

/** What a card tells of the programme that it was issued in. */
type Issued = Pick<Programme, "programmeId" | "currency">;

/**
 * The programme that a card was issued in, unless an operator has withdrawn it since. One that has its name and another
 * currency is another programme: its rates and limits would be taken for the card's.
 */
export function findProgramme(
  programmes: readonly Programme[],
  { programmeId, currency }: Issued,
): Programme | undefined {
  return programmes.find(
    (programme) => programme.programmeId === programmeId && programme.currency === currency,
  );
}

/** The same for what cannot be done without it. */
export function expectProgramme(programmes: readonly Programme[], card: Issued): Programme {
  const found = findProgramme(programmes, card);
  if (found !== undefined) return found;
  throw new Failure("PROGRAM_RESTRICTION", {
    message: `The card's programme ${card.programmeId} is not configured any more`,
  });
}

/** The home country of a programme that was withdrawn, which is unknown; ISO 3166 assigns this code to nobody. */
const NOWHERE = "ZZ";

/** The country of a merchant that does not tell its own. */
export function homeOf(programmes: readonly Programme[], card: Issued): string {
  return findProgramme(programmes, card)?.country ?? NOWHERE;
}

/** How long holds last where a programme does not say. */
export const usualHolds = { holdDays: 7, preAuthorizationHoldDays: 31 } as const;

/** What remains of a card's programme where an operator has withdrawn it: only the card's own currency is billed. */
export const withoutProgramme = ({
  currency,
}: Pick<Rates, "currency">): Rates & Pick<Programme, keyof typeof usualHolds> => ({
  currency,
  fx: {},
  ...usualHolds,
});

/** The rate at which the programme bills a currency; undefined: it does not. */
export function billingRate(programme: Rates, currency: Currency): string | undefined {
  return currency === programme.currency ? "1" : programme.fx[currency];
}
