import type { Engine } from "../../engine/engine.ts";
import type { Clock } from "../../foundation/clock.ts";
import { newId } from "../../foundation/ids.ts";
import type { Caller } from "../../http/caller.ts";
import type { WalletIds } from "../../wallets/service.ts";
import type { CardFacts } from "../card.ts";
import type { CardBook } from "../card-book.ts";
import { newTransactionIds } from "../charges/service.ts";
import type { DescribedCard } from "../describe.ts";
import type { DescribedMovedMoney } from "../funding/describe-moved-money.ts";
import { type Regularization, regularize } from "./regularize.ts";
import { type Termination, terminate } from "./terminate.ts";

export interface ClosingDeps {
  clock: Clock;
  engine: Engine;
  cardBook: CardBook;
  walletIds: WalletIds;
}

const DEFAULT_REASON = "Requested";

/** In as many steps as it takes to collect the card's charges. */
export async function terminateCard(
  deps: ClosingDeps,
  { organizationId, claim }: Caller,
  cardId: string,
  reason = DEFAULT_REASON,
): Promise<DescribedCard> {
  const card = await deps.cardBook.find(organizationId, cardId);
  for (;;) {
    const input = await terminationOf(deps, organizationId, card, reason);
    const closed = await deps.engine.run(terminate, organizationId, input, claim);
    if (closed !== undefined) return closed;
  }
}

export async function regularizeCard(
  deps: ClosingDeps,
  { organizationId, claim }: Caller,
  cardId: string,
): Promise<DescribedMovedMoney> {
  const card = await deps.cardBook.find(organizationId, cardId);
  const input = await regularizationOf(deps, organizationId, card);
  return deps.engine.run(regularize, organizationId, input, claim);
}

type InputDeps = Pick<ClosingDeps, "clock" | "walletIds">;

export async function terminationOf(
  { clock, walletIds }: InputDeps,
  organizationId: string,
  card: CardFacts,
  reason: string,
): Promise<Termination> {
  return {
    card,
    walletId: await walletIds.ensure(organizationId, card.currency),
    reason,
    payoutTransactionId: newId("txn", clock.nowMs()),
    chargeTransactionIds: newTransactionIds(clock),
  };
}

export async function regularizationOf(
  { clock, walletIds }: InputDeps,
  organizationId: string,
  card: CardFacts,
): Promise<Regularization> {
  const walletId = await walletIds.ensure(organizationId, card.currency);
  return { transactionId: newId("txn", clock.nowMs()), card, walletId };
}
