import type { CardBook } from "../cards/card-book.ts";
import type { Engine } from "../engine/engine.ts";
import type { Caller } from "../http/caller.ts";
import { changeMerchants, type MerchantAction, type MerchantOutcome } from "./change-merchants.ts";

export interface ControlsDeps {
  engine: Engine;
  cardBook: CardBook;
}

/** Lists merchants on a card, takes them off, or lets them pass once. */
export async function changeCardMerchants(
  { engine, cardBook }: ControlsDeps,
  { organizationId, claim }: Caller,
  cardId: string,
  action: MerchantAction,
  mids: readonly string[],
): Promise<MerchantOutcome[]> {
  const card = await cardBook.find(organizationId, cardId);
  return engine.run(changeMerchants, organizationId, { card, action, mids }, claim);
}
