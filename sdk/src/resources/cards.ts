import type {
  Card,
  CardWithSecrets,
  ChangeCardBody,
  CrossBorderCharge,
  IssueCorporateCardBody,
  IssueLiteCardBody,
  IssueRetailCardBody,
  ListCardsQuery,
  ListCrossBorderChargesQuery,
  MovedMoney,
  ReissueCardBody,
  TerminateCardBody,
  TopUpCardBody,
  TransferBetweenCardsBody,
  WithdrawFromCardBody,
} from "../generated/openapi.ts";
import type { List } from "../list.ts";
import type { Data } from "../operation.ts";
import type { CallOptions } from "../options.ts";
import { type ReadOptions, Resource } from "./resource.ts";

/** Issue cards, look at them, fund them and close them. */
export class Cards extends Resource {
  /** A card for a person whose verification is approved. */
  issueRetail(body: IssueRetailCardBody, options?: CallOptions): Promise<Card> {
    return this.call("issueRetailCard", { body }, options);
  }

  /** A card for a business whose verification is approved. */
  issueCorporate(body: IssueCorporateCardBody, options?: CallOptions): Promise<Card> {
    return this.call("issueCorporateCard", { body }, options);
  }

  /** A card with a balance and a number of purchases that are fixed when it is issued. */
  issueLite(body: IssueLiteCardBody, options?: CallOptions): Promise<Card> {
    return this.call("issueLiteCard", { body }, options);
  }

  /** Another card for a customer, with the balance of an earlier one or with its own. */
  reissue(body: ReissueCardBody, options?: CallOptions): Promise<Card> {
    return this.call("reissueCard", { body }, options);
  }

  list(query?: ListCardsQuery, options?: ReadOptions): List<Card> {
    return this.listing("listCards", { query }, options);
  }

  get(cardId: string, options?: ReadOptions): Promise<Card> {
    return this.call("getCard", { params: { cardId } }, options);
  }

  /** The card with its full number and CVV. Needs the scope `CardSecrets`; every call is audited. */
  getSecrets(cardId: string, options?: ReadOptions): Promise<CardWithSecrets> {
    return this.call("getCardSecrets", { params: { cardId } }, options);
  }

  change(cardId: string, body: ChangeCardBody, options?: CallOptions): Promise<Card> {
    return this.call("changeCard", { params: { cardId }, body }, options);
  }

  freeze(cardId: string, options?: CallOptions): Promise<Card> {
    return this.call("freezeCard", { params: { cardId } }, options);
  }

  unfreeze(cardId: string, options?: CallOptions): Promise<Card> {
    return this.call("unfreezeCard", { params: { cardId } }, options);
  }

  terminate(cardId: string, body?: TerminateCardBody, options?: CallOptions): Promise<Card> {
    return this.call("terminateCard", { params: { cardId }, body }, options);
  }

  /** Debits your wallet and credits the card. */
  topUp(cardId: string, body: TopUpCardBody, options?: CallOptions): Promise<MovedMoney> {
    return this.call("topUpCard", { params: { cardId }, body }, options);
  }

  /** Debits the card and credits your wallet. */
  withdraw(cardId: string, body: WithdrawFromCardBody, options?: CallOptions): Promise<MovedMoney> {
    return this.call("withdrawFromCard", { params: { cardId }, body }, options);
  }

  /** Moves money from one card to another. */
  transfer(body: TransferBetweenCardsBody, options?: CallOptions): Promise<MovedMoney> {
    return this.call("transferBetweenCards", { body }, options);
  }

  /** Brings the balance of a terminated card that is below zero to zero, from your wallet. */
  regularize(cardId: string, options?: CallOptions): Promise<MovedMoney> {
    return this.call("regularizeCard", { params: { cardId } }, options);
  }

  crossBorderCharges(
    cardId: string,
    query?: ListCrossBorderChargesQuery,
    options?: ReadOptions,
  ): List<CrossBorderCharge> {
    return this.listing("listCrossBorderCharges", { params: { cardId }, query }, options);
  }

  /** Tries again to collect the charges that the card could not pay. */
  reprocessCrossBorderCharges(
    cardId: string,
    options?: CallOptions,
  ): Promise<Data<"reprocessCrossBorderCharges">> {
    return this.call("reprocessCrossBorderCharges", { params: { cardId } }, options);
  }
}
