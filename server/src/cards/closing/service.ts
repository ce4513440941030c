import type { Pool } from "../../db/pool.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Clock } from "../../foundation/clock.ts";
import { newId } from "../../foundation/ids.ts";
import type { Caller } from "../../http/caller.ts";
import { refuseUsedUp } from "../../references/service.ts";
import type { WalletIds } from "../../wallets/service.ts";
import type { CardFacts } from "../card.ts";
import { collectAll, newTransactionIds } from "../charges/service.ts";
import { owesMoreThanAStep } from "../charges/store.ts";
import type { DescribedCard } from "../describe.ts";
import type { CardBook } from "../facts.ts";
import type { Moved } from "../funding/moved.ts";
import { type Regularization, regularize } from "./regularize.ts";
import { findCardsOfAccount } from "./store.ts";
import { type Termination, terminate } from "./terminate.ts";

export interface ClosingDeps {
  pool: Pool;
  clock: Clock;
  engine: Engine;
  cardBook: CardBook;
  walletIds: WalletIds;
}

const DEFAULT_REASON = "Requested";

export async function terminateCard(
  deps: ClosingDeps,
  caller: Caller,
  cardId: string,
  reason = DEFAULT_REASON,
): Promise<DescribedCard> {
  const { organizationId, claim } = caller;
  const card = await deps.cardBook.find(organizationId, cardId);
  await collectBefore(deps, caller, card);
  const input = await terminationOf(deps, organizationId, card, reason);
  return deps.engine.run(terminate, organizationId, input, claim);
}

/**
 * A termination collects what is owed itself, but no more than one step holds. What exceeds that is collected
 * before, lest it be paid out.
 */
async function collectBefore(
  deps: ClosingDeps,
  { organizationId, claim }: Caller,
  card: CardFacts,
): Promise<void> {
  const { cardId, accountId } = card;
  if (!(await owesMoreThanAStep(deps.pool, { organizationId, cardId, accountId }))) return;
  await refuseUsedUp(deps, claim);
  const family = await findCardsOfAccount(deps.pool, { organizationId, accountId });
  const living = family.filter(({ status }) => status !== "Terminated");
  if (!living.some((each) => each.cardId === cardId)) return;
  const payers = living.length === 1 ? family : [card];
  for (const payer of payers) await collectAll(deps, organizationId, payer);
}

export async function regularizeCard(
  deps: ClosingDeps,
  { organizationId, claim }: Caller,
  cardId: string,
): Promise<Moved> {
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
