import { z } from "zod";
import { cardTypes } from "../cards/card.ts";
import { formatAmount } from "../foundation/money.ts";
import { amount, currency } from "../http/schema.ts";
import { brands, type Programme } from "./programmes.ts";

const BPS_PER_PERCENT = 100;

const percent = z.number().meta({ description: "Percent", examples: [2] });
const days = z.int().meta({ description: "Days" });

export const ProgrammeView = z
  .strictObject({
    programmeId: z.string().meta({ examples: ["usd-us"] }),
    currency,
    country: z.string().meta({
      description: "ISO 3166 alpha-2; purchases elsewhere are cross-border",
      examples: ["US"],
    }),
    brand: z.enum(brands),
    bin: z.string().meta({ description: "How card numbers begin", examples: ["411111"] }),
    cardTypes: z.enum(cardTypes).array(),
    expiryYears: z.int(),
    topUpMaximum: amount.meta({ description: "The most that one top-up may bring" }),
    withdrawalMinimumLeft: amount.meta({ description: "What a withdrawal must leave available" }),
    liteMinimum: amount.meta({ description: "The least that a lite card is issued with" }),
    liteMaximum: amount.meta({ description: "The most that a lite card is issued with" }),
    liteMaximumSwipes: z.int(),
    negativeBalanceTolerance: amount.meta({
      description:
        "How far below zero a balance may be without keeping its customer from new cards",
    }),
    crossBorderPercent: percent,
    overCaptureTolerancePercent: percent,
    holdDays: days,
    preAuthorizationHoldDays: days,
    terminateNegativeAfterDays: days.nullable(),
    autoRegularize: z.boolean(),
    fx: z.record(z.string(), z.number()).meta({
      description: "What one unit of another currency costs in the programme's currency",
      examples: [{ EUR: 1.08 }],
    }),
  })
  .meta({
    id: "Programme",
    description: "What cards can be issued in a currency, and on what terms",
  });

export function programmeView(programme: Programme): z.infer<typeof ProgrammeView> {
  const { programmeId, currency: unit, country, brand, bin, expiryYears } = programme;
  const inMajor = (minor: bigint): number => formatAmount(minor, unit);
  return {
    programmeId,
    currency: unit,
    country,
    brand,
    bin,
    cardTypes: [...cardTypes],
    expiryYears,
    topUpMaximum: inMajor(programme.topUpMaximumMinor),
    withdrawalMinimumLeft: inMajor(programme.withdrawalMinimumLeftMinor),
    liteMinimum: inMajor(programme.liteMinimumMinor),
    liteMaximum: inMajor(programme.liteMaximumMinor),
    liteMaximumSwipes: programme.liteMaximumSwipes,
    negativeBalanceTolerance: inMajor(programme.negativeBalanceToleranceMinor),
    crossBorderPercent: programme.crossBorderRateBps / BPS_PER_PERCENT,
    overCaptureTolerancePercent: programme.overCaptureToleranceBps / BPS_PER_PERCENT,
    holdDays: programme.holdDays,
    preAuthorizationHoldDays: programme.preAuthorizationHoldDays,
    terminateNegativeAfterDays: programme.terminateNegativeAfterDays,
    autoRegularize: programme.autoRegularize,
    fx: Object.fromEntries(Object.entries(programme.fx).map(([of, rate]) => [of, Number(rate)])),
  };
}
