import type { OperationId } from "./operation.ts";

const purchase = { cardId: "cardId", amount: "amount", currency: "currency" };
const newCard = { customerId: "customerId", currency: "currency" };

/** What a payload says and the answer repeats for good: its name there, and here. */
const REPEATED: { [Id in OperationId]?: Readonly<Record<string, string>> } = {
  verifyIndividual: { clientReference: "clientReference" },
  verifyBusiness: { clientReference: "clientReference" },
  issueRetailCard: newCard,
  issueCorporateCard: newCard,
  issueLiteCard: { ...newCard, swipeCount: "swipeCount" },
  reissueCard: { customerId: "customerId" },
  topUpCard: { amount: "amount" },
  withdrawFromCard: { amount: "amount" },
  transferBetweenCards: { sourceCardId: "cardId", amount: "amount" },
  simulateAuthorization: purchase,
  simulateForcePost: purchase,
  simulateUnlinkedRefund: purchase,
  simulateDeposit: { currency: "currency" },
};

/** The fields of a payload by which it is not the one that made this answer; of what no answer repeats, none. */
export function changedFields(
  operationId: OperationId | undefined,
  payload: string | undefined,
  data: unknown,
): string[] {
  if (operationId === undefined || payload === undefined) return [];
  const sent = fieldsOf(JSON.parse(payload));
  const told = fieldsOf(data);
  return Object.entries(REPEATED[operationId] ?? {})
    .filter(([field, name]) => sent[field] !== undefined && sent[field] !== told[name])
    .map(([field]) => field);
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? { ...value } : {};
