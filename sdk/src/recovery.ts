import type { MovedMoney, Wallet } from "./generated/openapi.ts";
import type { Data, OperationId } from "./operation.ts";

/** Makes a call of its own, with a Reference of its own. */
export type Ask = <Id extends OperationId>(
  operationId: Id,
  input?: { params?: Record<string, string> },
) => Promise<Data<Id>>;

/** A call that succeeded without its answer having arrived. */
interface Lost {
  params: Record<string, string>;
  /** What it made or changed, as the service remembers it; empty if it does not. */
  resourceId: string;
}

type Recover<Id extends OperationId> = (ask: Ask, lost: Lost) => Promise<Data<Id>>;

/**
 * How to get the answer of a call that succeeded although its answer was lost: by reading what it made or
 * changed, as that stands now. What is not here has an answer that exists only once.
 */
export const recoveries: { [Id in OperationId]?: Recover<Id> } = {
  verifyIndividual: (ask, { resourceId }) =>
    ask("readVerification", { params: { kycToken: resourceId } }),
  verifyBusiness: (ask, { resourceId }) =>
    ask("readVerification", { params: { kycToken: resourceId } }),
  simulateKycDecision: (ask, { params }) => ask("readVerification", { params }),

  issueRetailCard: newCard,
  issueCorporateCard: newCard,
  issueLiteCard: newCard,
  reissueCard: newCard,
  changeCard: sameCard,
  freezeCard: sameCard,
  unfreezeCard: sameCard,
  terminateCard: sameCard,

  topUpCard: walletMovement,
  withdrawFromCard: walletMovement,
  regularizeCard: walletMovement,
  transferBetweenCards: cardMovement,
  simulateSettlement: cardMovement,
  simulateReversal: cardMovement,
  simulateRefund: cardMovement,
  simulateForcePost: cardMovement,
  simulateUnlinkedRefund: cardMovement,
  simulateAuthorization: cardMovement,
  simulateDeposit: async (ask, { resourceId }) =>
    pick(await ask("listWallets"), ({ walletId }) => walletId === resourceId),

  setCardAuthorizationSettings: (ask) => ask("getCardAuthorizationSettings"),
  changeWebhookEndpoint: (ask, { params }) => ask("readWebhookEndpoint", { params }),
  recoverWebhookEndpoint: (ask, { params }) => ask("readWebhookEndpoint", { params }),
  // The first secret was lost with the answer, and nobody has it; so a new one takes its place.
  createWebhookEndpoint: (ask, { resourceId }) =>
    ask("rotateWebhookSecret", { params: { webhookEndpointId: resourceId } }),
  resendEvent: (ask, { params }) => ask("readEvent", { params }),
};

function newCard(ask: Ask, { resourceId }: Lost): Promise<Data<"getCard">> {
  return ask("getCard", { params: { cardId: resourceId } });
}

function sameCard(ask: Ask, { params }: Lost): Promise<Data<"getCard">> {
  return ask("getCard", { params });
}

async function cardMovement(ask: Ask, { resourceId }: Lost): Promise<MovedMoney> {
  const transaction = await ask("getTransaction", { params: { transactionId: resourceId } });
  const { balance } = await ask("getCard", { params: { cardId: transaction.cardId } });
  return { ...transaction, cardBalance: balance };
}

async function walletMovement(ask: Ask, lost: Lost): Promise<MovedMoney> {
  const moved = await cardMovement(ask, lost);
  const wallet = pick(
    await ask("listWallets"),
    ({ currency }) => currency === moved.billingCurrency,
  );
  return { ...moved, walletBalance: wallet.balance };
}

function pick(wallets: Wallet[], isWanted: (wallet: Wallet) => boolean): Wallet {
  const wallet = wallets.find(isWanted);
  if (wallet === undefined) throw new Error("There is no such wallet.");
  return wallet;
}
