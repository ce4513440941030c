import type { Engine } from "../../engine/engine.ts";
import type { Currency } from "../../foundation/currencies.ts";
import type { Caller } from "../../http/caller.ts";
import type { CardBook } from "../card-book.ts";
import type { DescribedCard } from "../describe.ts";
import { changeSettings, type Settings } from "./change-settings.ts";
import { freeze, unfreeze } from "./freeze.ts";
import { foldMccs, readLimits } from "./limits.ts";
import type { ChangeCardRequest } from "./wire.ts";

export interface SettingsDeps {
  engine: Engine;
  cardBook: CardBook;
}

export async function freezeCard(
  { engine, cardBook }: SettingsDeps,
  { organizationId, claim }: Caller,
  cardId: string,
): Promise<DescribedCard> {
  const card = await cardBook.find(organizationId, cardId);
  return engine.run(freeze, organizationId, card, claim);
}

export async function unfreezeCard(
  { engine, cardBook }: SettingsDeps,
  { organizationId, claim }: Caller,
  cardId: string,
): Promise<DescribedCard> {
  const card = await cardBook.find(organizationId, cardId);
  return engine.run(unfreeze, organizationId, card, claim);
}

export async function changeCardSettings(
  { engine, cardBook }: SettingsDeps,
  { organizationId, claim }: Caller,
  cardId: string,
  request: ChangeCardRequest,
): Promise<DescribedCard> {
  const card = await cardBook.find(organizationId, cardId);
  const change = readChange(request, card.currency);
  return engine.run(changeSettings, organizationId, { card, change }, claim);
}

/** What is not mentioned stays as it is. */
function readChange(request: ChangeCardRequest, currency: Currency): Partial<Settings> {
  const { cardLimits, whiteListedMccs, blackListedMccs, contactlessPayment, metadata } = request;
  return {
    ...(cardLimits === undefined ? {} : readLimits(cardLimits, currency)),
    ...(whiteListedMccs === undefined ? {} : { whiteListedMccs: foldMccs(whiteListedMccs) }),
    ...(blackListedMccs === undefined ? {} : { blackListedMccs: foldMccs(blackListedMccs) }),
    ...(contactlessPayment === undefined ? {} : { contactlessPayment }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}
