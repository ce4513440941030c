import type { Operation } from "../engine/operation.ts";
import { accountsOf, assess, needsOf } from "./assess.ts";
import { approve, type DecidedPurchase, decline } from "./outcome.ts";
import type { Purchase } from "./purchase.ts";

/** Decides a purchase and, when it is approved, holds its amount. A message that repeats is answered again. */
export const authorize: Operation<Purchase, DecidedPurchase> = {
  name: "authorize",
  accounts: accountsOf,
  needs: needsOf,
  decide: (view, purchase, now) => {
    const assessment = assess(view, purchase, now);
    if ("decided" in assessment) return assessment.decided;
    const { evaluation, barredBy } = assessment;
    const isAllowed = evaluation.failed === undefined || isHonoured(purchase);
    return isAllowed && barredBy === undefined
      ? approve(view, purchase, assessment)
      : decline(view, purchase, assessment, barredBy);
  },
};

/** An advice is declined only where the programme has no rate for its currency: its amount is unknown then. */
const isHonoured = ({ isAdvice, billing }: Purchase): boolean =>
  isAdvice === true && billing !== null;
