import { codes } from "../foundation/codes.ts";
import { packMinor, unpackMinor } from "../foundation/money.ts";
import type { PackedDecision } from "../transactions/transaction.ts";
import { checks } from "./checks.ts";
import { type Evaluation, evaluate } from "./decide.ts";
import type { Facts, Shown } from "./facts.ts";

export interface TracedCheck {
  check: string;
  result: "Pass" | "Fail" | "Skipped";
  responseCode?: string;
  us: number;
}

export interface DescribedDecision {
  model: PackedDecision["model"];
  trace: TracedCheck[];
  remote?: object;
}

/** A decision as it is stored: a few dozen bytes rather than the readable trace. */
export function packDecision(
  model: PackedDecision["model"],
  facts: Facts,
  { results, times }: Evaluation,
  remote?: object,
): PackedDecision {
  const packed = { model, facts: packFacts(facts), results, times };
  return remote === undefined ? packed : { ...packed, remote };
}

/** The readable trace, made when somebody asks. */
export function describeDecision(packed: PackedDecision): DescribedDecision {
  const { failed } = evaluate(unpackFacts(packed.facts), () => 0);
  const trace = [...packed.results].map((letter, index): TracedCheck => {
    const check = checks[index]?.name ?? "unknown";
    const us = (packed.times[index] ?? 0) / 10;
    if (letter === "F" && failed !== undefined) {
      return { check, result: "Fail", responseCode: codes[failed].code, us };
    }
    return { check, result: letter === "P" ? "Pass" : "Skipped", us };
  });
  const card: TracedCheck = { check: "card", result: "Pass", us: 0 };
  return {
    model: packed.model,
    trace: [card, ...trace],
    ...(packed.remote === undefined ? {} : { remote: packed.remote }),
  };
}

const statuses = ["Active", "Frozen", "Terminated"] as const;
const shown: readonly Shown[] = ["Absent", "Match", "Mismatch"];

/** In a fixed order; a field that is ever added goes to the end. */
function packFacts(f: Facts): unknown[] {
  const flags = [
    f.isExpired,
    f.isContactless,
    f.contactlessPayment,
    f.hasMidWhitelist,
    f.midWhitelisted,
    f.midBlacklisted,
    f.midUnblocked,
    f.hasMccWhitelist,
    f.mccWhitelisted,
    f.mccBlacklisted,
  ];
  return [
    statuses.indexOf(f.status),
    shown.indexOf(f.expiry),
    shown.indexOf(f.cvv),
    flags.reduce((bits, flag, index) => bits | (Number(flag) << index), 0),
    packed(f.billingAmountMinor),
    packed(f.transactionLimitMinor),
    packed(f.dailyLimitMinor),
    packed(f.spentTodayMinor),
    f.swipesLeft,
    packed(f.availableMinor),
  ];
}

export function unpackFacts(packed: readonly unknown[]): Facts {
  const [status, expiry, cvv, bits, billing, perTransaction, daily, spent, swipes, available] =
    packed as (number | string | null)[];
  const flag = (index: number): boolean => (Number(bits) & (1 << index)) !== 0;
  return {
    status: statuses[Number(status)] ?? "Terminated",
    expiry: shown[Number(expiry)] ?? "Absent",
    cvv: shown[Number(cvv)] ?? "Absent",
    isExpired: flag(0),
    isContactless: flag(1),
    contactlessPayment: flag(2),
    hasMidWhitelist: flag(3),
    midWhitelisted: flag(4),
    midBlacklisted: flag(5),
    midUnblocked: flag(6),
    hasMccWhitelist: flag(7),
    mccWhitelisted: flag(8),
    mccBlacklisted: flag(9),
    billingAmountMinor: unpacked(billing),
    transactionLimitMinor: unpacked(perTransaction),
    dailyLimitMinor: unpacked(daily),
    spentTodayMinor: unpacked(spent) ?? 0n,
    swipesLeft: swipes === null || swipes === undefined ? null : Number(swipes),
    availableMinor: unpacked(available) ?? 0n,
  };
}

const packed = (minor: bigint | null): number | string | null =>
  minor === null ? null : packMinor(minor);

const unpacked = (minor: number | string | null | undefined): bigint | null =>
  minor === null || minor === undefined ? null : unpackMinor(minor);
