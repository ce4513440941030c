import type { Deed, Ledger } from "./ledger.ts";
import type { Random } from "./random.ts";

const FOLLOW_UPS = ["settle", "settle", "reverse", "refund"] as const;
/** Payments that are not taken on any more, so that there are always fresh ones. */
const RECENT = 300;

type Draft = Omit<Deed, "reference" | "outcome">;

/** Thinks of something to do; `reference` is its own. */
export function think(
  random: Random,
  reference: string,
  cardIds: readonly string[],
  ledger: Ledger,
): Deed {
  const outcome = "Unknown";
  return { ...draft(random, `net-${reference}`, cardIds, ledger), reference, outcome };
}

function draft(
  random: Random,
  networkReference: string,
  cardIds: readonly string[],
  ledger: Ledger,
): Draft {
  const cardId = random.pick(cardIds);
  const cents = random.between(1, 30_00);
  const amount = cents / 100;
  const chance = random.next();
  if (chance < 0.4) {
    const body = { cardId, amount, networkReference };
    return { kind: "buy", path: "/simulator/authorizations", body, cents, cardId };
  }
  if (chance < 0.7) {
    const payments = [...ledger.payments].slice(-RECENT);
    if (payments.length > 0) return follow(random, networkReference, random.pick(payments));
  }
  if (chance < 0.8) {
    return { kind: "top-up", path: `/cards/${cardId}/top-up`, body: { amount }, cents, cardId };
  }
  if (chance < 0.88) {
    return { kind: "withdraw", path: `/cards/${cardId}/withdraw`, body: { amount }, cents, cardId };
  }
  if (chance < 0.95) {
    const toCardId = random.pick(cardIds.filter((id) => id !== cardId));
    const body = { sourceCardId: cardId, beneficiaryCardId: toCardId, amount };
    return { kind: "transfer", path: "/cards/transfers", body, cents, cardId, toCardId };
  }
  const body = { currency: "USD", amount };
  return { kind: "deposit", path: "/simulator/wallets/deposits", body, cents };
}

function follow(
  random: Random,
  networkReference: string,
  [transactionId, { cents: whole }]: readonly [string, { cents: number }],
): Draft {
  const kind = random.pick(FOLLOW_UPS);
  const cents = random.between(1, whole);
  const body = {
    amount: cents / 100,
    networkReference,
    ...(kind === "settle" ? { partial: true } : {}),
  };
  return {
    kind,
    path: `/simulator/transactions/${transactionId}/${kind}`,
    body,
    cents,
    transactionId,
  };
}
