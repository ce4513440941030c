import type { Pool } from "../../db/pool.ts";
import type { Reads } from "../../db/reads.ts";
import { scopedKey } from "../../db/scoped-key.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Currency } from "../../foundation/currencies.ts";
import { Failure } from "../../foundation/failure.ts";
import { isId, newId } from "../../foundation/ids.ts";
import type { Caller } from "../../http/caller.ts";
import type { DerivationKey, Vault } from "../../keys/vault.ts";
import { expectProgramme, type Programme } from "../../programmes/programmes.ts";
import { refuseUsedUp } from "../../references/service.ts";
import type { WalletIds } from "../../wallets/service.ts";
import type { Card, CardSecrets } from "../card.ts";
import type { DescribedCard } from "../describe.ts";
import { findCard } from "../details/service.ts";
import { maskPan } from "../pan.ts";
import { sealPan } from "../secrets.ts";
import type { FreePans } from "./free-pans.ts";
import { issueCard } from "./issue-card.ts";
import { type CardOrder, newCard } from "./new-card.ts";
import {
  checkCardholder,
  checkLiteBounds,
  nameFor,
  readInitialBalance,
  readLiteBalance,
  readSettings,
  readSource,
  supportedProgramme,
  typeFor,
} from "./rules.ts";
import { shareAccount } from "./share-account.ts";
import { type Cardholder, cardholderById, latestCardOfCustomer } from "./store.ts";
import type { IssueCardRequest, IssueLiteRequest, ReissueRequest } from "./wire.ts";

export interface IssuingDeps {
  pool: Pool;
  reads: Reads;
  clock: Clock;
  engine: Engine;
  vault: Vault;
  freePans: FreePans;
  walletIds: WalletIds;
  programmes: readonly Programme[];
}

export async function issueNamedCard(
  deps: IssuingDeps,
  caller: Caller,
  type: "Retail" | "Corporate",
  request: IssueCardRequest,
): Promise<DescribedCard> {
  const { currency, customerId } = request;
  const amountMinor = readInitialBalance(request.initialBalance, currency);
  const settings = readSettings(request, currency);
  const programme = supportedProgramme(deps.programmes, currency);
  const cardholder = await findCardholder(deps, caller, customerId);
  checkCardholder(cardholder, type);
  const order: CardOrder = {
    customerId,
    type,
    programme,
    nameOnCard: request.nameOnCard ?? nameFor(cardholder),
    billingAddress: request.address ?? cardholder.address,
    settings,
    swipeCount: null,
  };
  return issueWithAccount(deps, caller, order, amountMinor);
}

export async function issueLiteCard(
  deps: IssuingDeps,
  caller: Caller,
  request: IssueLiteRequest,
): Promise<DescribedCard> {
  const { currency, customerId, swipeCount } = request;
  const balanceMinor = readLiteBalance(request.balance, currency);
  const settings = readSettings(request, currency);
  const programme = supportedProgramme(deps.programmes, currency);
  checkLiteBounds({ balanceMinor, swipeCount }, programme);
  const cardholder = await findCardholder(deps, caller, customerId);
  checkCardholder(cardholder, "Lite");
  const order: CardOrder = {
    customerId,
    type: "Lite",
    programme,
    nameOnCard: nameFor(cardholder),
    billingAddress: cardholder.address,
    settings,
    swipeCount,
  };
  return issueWithAccount(deps, caller, order, balanceMinor);
}

export async function reissueCard(
  deps: IssuingDeps,
  caller: Caller,
  request: ReissueRequest,
): Promise<DescribedCard> {
  const source = readSource(request);
  const cardholder = await findCardholder(deps, caller, request.customerId);
  checkCardholder(cardholder);
  return "sharedWith" in source
    ? reissueShared(deps, caller, cardholder, source.sharedWith, request)
    : reissueApart(deps, caller, cardholder, source.initialBalance, request);
}

async function reissueShared(
  deps: IssuingDeps,
  caller: Caller,
  cardholder: Cardholder,
  originalId: string,
  request: ReissueRequest,
): Promise<DescribedCard> {
  const { organizationId, claim } = caller;
  const original = await findCard(deps, organizationId, originalId);
  if (original.customerId !== cardholder.customerId) throw new Failure("NO_CARD_RECORD");
  const order: CardOrder = {
    customerId: cardholder.customerId,
    type: original.type,
    programme: expectProgramme(deps.programmes, original),
    nameOnCard: original.nameOnCard,
    billingAddress: request.address ?? original.billingAddress ?? cardholder.address,
    settings: readSettings(request, original.currency),
    swipeCount: null,
  };
  const { programmes } = deps;
  return deps.freePans.with(order.programme, (pan, hashKey) => {
    const sharing = { accountId: original.accountId, isGuest: true };
    const made = makeCard(deps, organizationId, order, { ...sharing, pan, hashKey });
    const input = { original, ...made, programmes };
    return deps.engine.run(shareAccount, organizationId, input, claim);
  });
}

/** A card with an account of its own, like the one that the customer got last. */
async function reissueApart(
  deps: IssuingDeps,
  caller: Caller,
  cardholder: Cardholder,
  initialBalance: number,
  request: ReissueRequest,
): Promise<DescribedCard> {
  const { customerId } = cardholder;
  const key = scopedKey(caller.organizationId, customerId);
  const [latest] = await deps.reads.ask(latestCardOfCustomer, key);
  const currency = latest?.currency ?? "USD";
  const amountMinor = readInitialBalance(initialBalance, currency);
  const order: CardOrder = {
    customerId,
    // A lite card is not made again: its balance and its swipes were for once.
    type: latest === undefined || latest.type === "Lite" ? typeFor(cardholder) : latest.type,
    settings: readSettings(request, currency),
    programme: supportedProgramme(deps.programmes, currency),
    nameOnCard: latest?.nameOnCard ?? nameFor(cardholder),
    billingAddress: request.address ?? latest?.billingAddress ?? cardholder.address,
    swipeCount: null,
  };
  return issueWithAccount(deps, caller, order, amountMinor);
}

async function issueWithAccount(
  deps: IssuingDeps,
  caller: Caller,
  order: CardOrder,
  amountMinor: bigint,
): Promise<DescribedCard> {
  const { organizationId, claim } = caller;
  const { programmes, clock } = deps;
  const walletId = await walletFor(deps, caller, order.programme.currency, amountMinor);
  return deps.freePans.with(order.programme, (pan, hashKey) => {
    const atMs = clock.nowMs();
    const account = { accountId: newId("acc", atMs), isGuest: false };
    const { card, secrets } = makeCard(deps, organizationId, order, { ...account, pan, hashKey });
    const transactionId = newId("txn", atMs);
    const input = { card, secrets, walletId, transactionId, amountMinor, programmes };
    return deps.engine.run(issueCard, organizationId, input, claim);
  });
}

interface NewCard {
  accountId: string;
  isGuest: boolean;
  pan: string;
  hashKey: DerivationKey;
}

function makeCard(
  { clock, vault }: IssuingDeps,
  organizationId: string,
  order: CardOrder,
  { accountId, isGuest, pan, hashKey }: NewCard,
): { card: Card; secrets: CardSecrets } {
  const now = clock.now();
  const cardId = newId("card", now.getTime());
  const card = newCard(order, { cardId, accountId, isGuest, maskedPan: maskPan(pan), now });
  return { card, secrets: sealPan(vault, organizationId, cardId, { pan, hashKey }) };
}

async function findCardholder(
  { reads }: IssuingDeps,
  { organizationId }: Caller,
  customerId: string,
): Promise<Cardholder> {
  const [found] = isId("cus", customerId)
    ? await reads.ask(cardholderById, scopedKey(organizationId, customerId))
    : [];
  if (found === undefined) throw new Failure("UNABLE_TO_LOCATE_RECORD");
  return found;
}

/**
 * The wallet that pays, and that gets back what is left one day. One that is missing is opened, but not
 * for a card that it could not pay for, nor for a repetition that will be refused.
 */
async function walletFor(
  deps: IssuingDeps,
  { organizationId, claim }: Caller,
  currency: Currency,
  amountMinor: bigint,
): Promise<string | undefined> {
  const found = await deps.walletIds.find(organizationId, currency);
  if (found !== undefined || amountMinor > 0n) return found;
  await refuseUsedUp(deps, claim);
  return deps.walletIds.open(organizationId, currency);
}
