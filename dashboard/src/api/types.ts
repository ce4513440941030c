/** What the API answers, as docs/openapi.json says it; only what the screens use. */

export type CardStatus = "Active" | "Frozen" | "Terminated";
export type CardType = "Retail" | "Corporate" | "Lite";
export type KycStatus = "Initiated" | "Pending" | "Approved" | "Rejected";

export interface Address {
  street: string;
  city: string;
  state: string;
  postalCode?: string;
  country: string;
}

export interface CardLimits {
  dailyLimit?: number;
  transactionLimit?: number;
}

export interface Card {
  cardId: string;
  customerId: string;
  type: CardType;
  status: CardStatus;
  currency: string;
  brand: string;
  maskedPan: string;
  expiryMonth: number;
  expiryYear: number;
  nameOnCard: string;
  balance: number;
  availableBalance: number;
  heldAmount: number;
  contactlessPayment: boolean;
  cardLimits: CardLimits;
  whiteListedMccs: string[];
  blackListedMccs: string[];
  merchantWhitelist: string[];
  merchantBlacklist: string[];
  billingAddress: Address | null;
  sharedBalance: boolean;
  swipeCount?: number;
  swipesUsed?: number;
  metadata: Record<string, string>;
  terminationReason?: string;
  createdAt: string;
  terminatedAt?: string;
}

export interface CardSecrets extends Card {
  pan: string;
  cvv: string;
}

export interface CrossBorderCharge {
  chargeId: string;
  cardId: string;
  transactionId: string;
  amount: number;
  currency: string;
  status: "Pending" | "Collected";
  createdAt: string;
  collectedAt?: string;
}

export interface Merchant {
  mid: string;
  mcc: string;
  name: string;
  city: string;
  country: string;
}

export interface TraceStep {
  check: string;
  result: "Pass" | "Fail" | "Skipped";
  responseCode?: string;
  us: number;
}

export interface RemoteDecision {
  durationMs: number;
  timedOut: boolean;
  defaultUsed: boolean;
  error?: string;
  lateDecision?: "Approve" | "Decline";
}

export interface Decision {
  model: "ServiceManaged" | "CustomerManaged";
  trace: TraceStep[];
  remote?: RemoteDecision;
}

export const TRANSACTION_TYPES = [
  "Authorization",
  "PreAuthorization",
  "CashWithdrawal",
  "Settlement",
  "Refund",
  "InitialFunding",
  "TopUp",
  "Withdrawal",
  "Transfer",
  "CrossBorderCharge",
  "Regularization",
  "TerminationPayout",
] as const;

export const TRANSACTION_STAGES = [
  "Authorization",
  "Settlement",
  "Reversal",
  "Refund",
  "Declined",
  "Expired",
  "Completed",
] as const;

export interface Transaction {
  transactionId: string;
  cardId: string;
  customerId: string;
  type: (typeof TRANSACTION_TYPES)[number];
  stage: (typeof TRANSACTION_STAGES)[number];
  approved: boolean;
  responseCode: string;
  responseMessage: string;
  amount: number;
  currency: string;
  billingAmount: number;
  billingCurrency: string;
  heldAmount: number;
  settledAmount: number;
  reversedAmount: number;
  refundedAmount: number;
  overCaptured: boolean;
  merchant: Merchant | null;
  entryMode: string | null;
  approvalCode: string | null;
  networkReference: string | null;
  transferId?: string;
  events: { requestType: string; amount: number; responseCode: string; at: string }[];
  createdAt: string;
  updatedAt: string;
  decision?: Decision;
}

export interface MovedMoney extends Transaction {
  cardBalance: number;
  walletBalance?: number;
}

export interface Customer {
  customerId: string;
  type: "Individual" | "Business";
  clientReference: string;
  firstName?: string;
  lastName?: string;
  registeredName?: string;
  email?: string;
  phoneNumber?: string;
  address?: Address;
  kycToken: string;
  status: KycStatus;
  createdAt: string;
}

export interface KycVerification {
  kycToken: string;
  clientReference: string;
  status: KycStatus;
  customerId?: string;
  rejectType?: "FINAL" | "RETRY";
  rejectLabels?: string[];
}

export interface Wallet {
  walletId: string;
  currency: string;
  balance: number;
  availableBalance: number;
}

export interface WalletEntry {
  entryId: string;
  walletId: string;
  kind: string;
  direction: "Debit" | "Credit";
  amount: number;
  currency: string;
  balanceAfter: number;
  transactionId?: string;
  reference?: string;
  createdAt: string;
}

export interface WebhookEndpoint {
  webhookEndpointId: string;
  url: string;
  eventTypes: string[];
  status: "Enabled" | "Disabled";
  createdAt: string;
}

export interface TestDelivery {
  acknowledged: boolean;
  httpStatus: number | null;
  error?: string;
  durationMs: number;
}

export interface FlorinEvent {
  eventId: string;
  eventType: string;
  createdAt: string;
  sequence: number | null;
  clientReference?: string;
  data: Record<string, unknown>;
}

export interface EventWithAttempts extends FlorinEvent {
  attempts: {
    webhookEndpointId: string;
    at: string;
    httpStatus: number | null;
    error?: string;
    durationMs: number;
  }[];
  deliveries: {
    webhookEndpointId: string;
    status: "Pending" | "Delivered" | "Failed";
    nextAttemptAt?: string;
  }[];
}

export interface AuthorizationSettings {
  model: "ServiceManaged" | "CustomerManaged";
  authorizationUrl: string | null;
  defaultAuthorizationDecision: "AutoApprove" | "AutoDecline" | null;
}
