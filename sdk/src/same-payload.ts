import type { OperationId } from "./operation.ts";

const purchase = { cardId: "cardId", amount: "amount", currency: "currency" };
const newCard = { customerId: "customerId", currency: "currency" };

/** Fields that an answer repeats and that never change: their names in the payload, and in the answer. */
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

/** The fields that show that another payload made this answer. Fields that no answer repeats are not compared. */
export function changedFields(
  operationId: OperationId | undefined,
  payload: string | undefined,
  data: unknown,
): string[] {
  if (operationId === undefined || payload === undefined) return [];
  const sent = fieldsOf(JSON.parse(payload));
  const answered = fieldsOf(data);
  return Object.entries(REPEATED[operationId] ?? {})
    .filter(([field, name]) => sent[field] !== undefined && sent[field] !== answered[name])
    .map(([field]) => field);
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? { ...value } : {};
