import type { Engine } from "../../engine/engine.ts";
import type { Clock } from "../../foundation/clock.ts";
import { newId } from "../../foundation/ids.ts";
import { parseAmount } from "../../foundation/money.ts";
import type { Caller } from "../../http/caller.ts";
import { expectProgramme, type Programme } from "../../programmes/programmes.ts";
import type { WalletIds } from "../../wallets/service.ts";
import type { CardBook } from "../card-book.ts";
import type { DescribedMovedMoney } from "./describe-moved-money.ts";
import { topUp } from "./top-up.ts";
import { transfer } from "./transfer.ts";
import { withdrawal } from "./withdrawal.ts";

export interface FundingDeps {
  clock: Clock;
  engine: Engine;
  cardBook: CardBook;
  walletIds: WalletIds;
  programmes: readonly Programme[];
}

export async function topUpCard(
  deps: FundingDeps,
  { organizationId, claim }: Caller,
  cardId: string,
  amount: number,
): Promise<DescribedMovedMoney> {
  const card = await deps.cardBook.find(organizationId, cardId);
  const amountMinor = parseAmount(amount, card.currency);
  const walletId = await deps.walletIds.ensure(organizationId, card.currency);
  const { topUpMaximumMinor: maximumMinor } = expectProgramme(deps.programmes, card);
  const transactionId = newId("txn", deps.clock.nowMs());
  const input = { transactionId, card, walletId, amountMinor, maximumMinor };
  return deps.engine.run(topUp, organizationId, input, claim);
}

export async function withdrawFromCard(
  deps: FundingDeps,
  { organizationId, claim }: Caller,
  cardId: string,
  amount: number,
): Promise<DescribedMovedMoney> {
  const card = await deps.cardBook.find(organizationId, cardId);
  const amountMinor = parseAmount(amount, card.currency);
  const walletId = await deps.walletIds.ensure(organizationId, card.currency);
  const { withdrawalMinimumLeftMinor } = expectProgramme(deps.programmes, card);
  const input = {
    transactionId: newId("txn", deps.clock.nowMs()),
    card,
    walletId,
    amountMinor,
    minimumLeftMinor: withdrawalMinimumLeftMinor,
  };
  return deps.engine.run(withdrawal, organizationId, input, claim);
}

export async function transferBetweenCards(
  deps: FundingDeps,
  { organizationId, claim }: Caller,
  cards: { sourceCardId: string; beneficiaryCardId: string },
  amount: number,
): Promise<DescribedMovedMoney> {
  const source = await deps.cardBook.find(organizationId, cards.sourceCardId);
  const beneficiary = await deps.cardBook.find(organizationId, cards.beneficiaryCardId);
  const amountMinor = parseAmount(amount, source.currency);
  const nowMs = deps.clock.nowMs();
  const input = {
    transactionId: newId("txn", nowMs),
    beneficiaryTransactionId: newId("txn", nowMs),
    source,
    beneficiary,
    amountMinor,
  };
  return deps.engine.run(transfer, organizationId, input, claim);
}
