import type { Engine } from "../../engine/engine.ts";
import type { Clock } from "../../foundation/clock.ts";
import { newId } from "../../foundation/ids.ts";
import { parseAmount } from "../../foundation/money.ts";
import type { Caller } from "../../http/caller.ts";
import { type Programme, programmeById } from "../../programmes/programmes.ts";
import type { WalletIds } from "../../wallets/service.ts";
import type { CardBook } from "../facts.ts";
import type { Moved } from "./moved.ts";
import { topUp } from "./top-up.ts";

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
): Promise<Moved> {
  const card = await deps.cardBook.find(organizationId, cardId);
  const amountMinor = parseAmount(amount, card.currency);
  const walletId = await deps.walletIds.ensure(organizationId, card.currency);
  const { topUpMaximumMinor: maximumMinor } = programmeById(deps.programmes, card.programmeId);
  const transactionId = newId("txn", deps.clock.nowMs());
  const input = { transactionId, card, walletId, amountMinor, maximumMinor };
  return deps.engine.run(topUp, organizationId, input, claim);
}
