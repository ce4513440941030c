// Made from docs/openapi.json by `npm run generate`. Changes belong there.

export interface Address {
  street: string;
  city: string;
  state: string;
  postalCode?: string;
  /** ISO 3166 alpha-2 */
  country: string;
}

export interface BusinessKycInput {
  registeredName: string;
  registrationNumber: string;
  email?: string | undefined;
  address: NewAddressInput;
}

/** A card, its settings and what it can spend */
export interface Card {
  cardId: string;
  customerId: string;
  type: "Retail" | "Corporate" | "Lite";
  status: "Active" | "Frozen" | "Terminated";
  /** ISO 4217 currency code */
  currency: string;
  brand: string;
  /** The first six and the last four digits of the card number */
  maskedPan: string;
  expiryMonth: number;
  /** Four digits */
  expiryYear: number;
  nameOnCard: string;
  /** Major units, with no more decimals than the currency has */
  balance: number;
  /** Major units, with no more decimals than the currency has */
  availableBalance: number;
  /** Reserved by authorizations that are not settled yet */
  heldAmount: number;
  contactlessPayment: boolean;
  cardLimits: {
    /** Major units, with no more decimals than the currency has */
    dailyLimit?: number;
    /** Major units, with no more decimals than the currency has */
    transactionLimit?: number;
  };
  whiteListedMccs: string[];
  blackListedMccs: string[];
  merchantWhitelist: string[];
  merchantBlacklist: string[];
  billingAddress: Address | null;
  /** Whether other cards spend the same balance */
  sharedBalance: boolean;
  /** Lite cards: how many purchases it allows */
  swipeCount?: number;
  /** Lite cards: how many it has made */
  swipesUsed?: number;
  metadata: Record<string, string>;
  terminationReason?: string;
  createdAt: string;
  terminatedAt?: string;
}

/** Who decides authorizations; what was never set is null */
export interface CardAuthorizationSettings {
  /** ServiceManaged: the service decides, and each card pays for itself. CustomerManaged: you are asked, and your wallet pays */
  model: "ServiceManaged" | "CustomerManaged";
  authorizationUrl: string | null;
  defaultAuthorizationDecision: "AutoApprove" | "AutoDecline" | null;
}

/** A card with its whole number. Keep it out of your logs and databases */
export interface CardWithSecrets {
  cardId: string;
  customerId: string;
  type: "Retail" | "Corporate" | "Lite";
  status: "Active" | "Frozen" | "Terminated";
  /** ISO 4217 currency code */
  currency: string;
  brand: string;
  /** The first six and the last four digits of the card number */
  maskedPan: string;
  expiryMonth: number;
  /** Four digits */
  expiryYear: number;
  nameOnCard: string;
  /** Major units, with no more decimals than the currency has */
  balance: number;
  /** Major units, with no more decimals than the currency has */
  availableBalance: number;
  /** Reserved by authorizations that are not settled yet */
  heldAmount: number;
  contactlessPayment: boolean;
  cardLimits: {
    /** Major units, with no more decimals than the currency has */
    dailyLimit?: number;
    /** Major units, with no more decimals than the currency has */
    transactionLimit?: number;
  };
  whiteListedMccs: string[];
  blackListedMccs: string[];
  merchantWhitelist: string[];
  merchantBlacklist: string[];
  billingAddress: Address | null;
  /** Whether other cards spend the same balance */
  sharedBalance: boolean;
  /** Lite cards: how many purchases it allows */
  swipeCount?: number;
  /** Lite cards: how many it has made */
  swipesUsed?: number;
  metadata: Record<string, string>;
  terminationReason?: string;
  createdAt: string;
  terminatedAt?: string;
  /** The whole card number */
  pan: string;
  cvv: string;
}

/** What a purchase outside the programme's country costs on top */
export interface CrossBorderCharge {
  chargeId: string;
  cardId: string;
  /** The purchase that is charged for */
  transactionId: string;
  /** Major units, with no more decimals than the currency has */
  amount: number;
  /** ISO 4217 currency code */
  currency: string;
  status: "Pending" | "Collected";
  createdAt: string;
  collectedAt?: string;
}

/** A person or a business that cards can be issued to */
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
  status: "Initiated" | "Pending" | "Approved" | "Rejected";
  createdAt: string;
}

/** A purchase and how it was decided */
export interface DecidedTransaction {
  transactionId: string;
  cardId: string;
  customerId: string;
  type: "Authorization" | "PreAuthorization" | "CashWithdrawal" | "Settlement" | "Refund" | "InitialFunding" | "TopUp" | "Withdrawal" | "Transfer" | "CrossBorderCharge" | "Regularization" | "TerminationPayout";
  stage: "Authorization" | "Settlement" | "Reversal" | "Refund" | "Declined" | "Expired" | "Completed";
  approved: boolean;
  responseCode: string;
  responseMessage: string;
  /** Major units, with no more decimals than the currency has */
  amount: number;
  /** ISO 4217 currency code */
  currency: string;
  /** Major units, with no more decimals than the currency has */
  billingAmount: number;
  /** ISO 4217 currency code */
  billingCurrency: string;
  /** Major units, with no more decimals than the currency has */
  heldAmount: number;
  /** Major units, with no more decimals than the currency has */
  settledAmount: number;
  /** Major units, with no more decimals than the currency has */
  reversedAmount: number;
  /** Major units, with no more decimals than the currency has */
  refundedAmount: number;
  overCaptured: boolean;
  merchant: Merchant | null;
  entryMode: string | null;
  approvalCode: string | null;
  networkReference: string | null;
  transferId?: string;
  events: TransactionEvent[];
  createdAt: string;
  updatedAt: string;
  /** Major units, with no more decimals than the currency has */
  cardBalance: number;
  /** Major units, with no more decimals than the currency has */
  walletBalance?: number;
  decision?: Decision;
}

/** Every check of an authorization, in order; the first that failed decided */
export interface Decision {
  model: "ServiceManaged" | "CustomerManaged";
  trace: Array<{
    check: string;
    result: "Pass" | "Fail" | "Skipped";
    responseCode?: string;
    /** Microseconds */
    us: number;
  }>;
  remote?: RemoteDecision;
}

/** Something that happened, as webhooks tell it */
export interface Event {
  /** The same in every delivery; also its webhook-id */
  eventId: string;
  eventType: string;
  createdAt: string;
  /** Counts the events of a card without gaps; null without a card */
  sequence: number | null;
  clientReference?: string;
  /** What the type is about */
  data: Record<string, unknown>;
}

/** An event and what became of its deliveries */
export interface EventWithAttempts {
  /** The same in every delivery; also its webhook-id */
  eventId: string;
  eventType: string;
  createdAt: string;
  /** Counts the events of a card without gaps; null without a card */
  sequence: number | null;
  clientReference?: string;
  /** What the type is about */
  data: Record<string, unknown>;
  /** The latest attempts of the last 30 days at delivering it, oldest first */
  attempts: Array<{
    webhookEndpointId: string;
    at: string;
    httpStatus: number | null;
    error?: string;
    durationMs: number;
  }>;
  /** How it stands with each endpoint that it was sent to */
  deliveries: Array<{
    webhookEndpointId: string;
    status: "Pending" | "Delivered" | "Failed";
    nextAttemptAt?: string;
  }>;
}

/** What is to go wrong; None ends whatever was asked for */
export type FaultOrderInput = {
  fault: "DuplicateDeliveries" | "DropDeliveries" | "ReorderDeliveries" | "KycDown" | "KycSlow";
  /** How many times it strikes */
  count: number;
} | {
  fault: "DelayDeliveries";
  /** How many times it strikes */
  count: number;
  /** Of the service's time, which moves on with the clock */
  seconds: number;
} | {
  fault: "CutConnection";
  /** How many times it strikes */
  count?: number | undefined;
} | {
  fault: "None";
};

export interface FaultsSet {
  /** All that is still to strike, with how often */
  faults: Array<{
    fault: "DuplicateDeliveries" | "DropDeliveries" | "ReorderDeliveries" | "CutConnection" | "KycDown" | "KycSlow" | "DelayDeliveries";
    /** How many times it strikes */
    count: number;
    /** Of the service's time, which moves on with the clock */
    seconds?: number;
  }>;
}

export interface IndividualKycInput {
  idType: "BVN" | "NIN" | "vNIN" | "PASSPORT" | "NATIONAL_ID" | "DRIVERS_LICENSE" | "VOTERS_CARD" | "GHANA_CARD";
  /** 11 digits for BVN and NIN, 16 letters and digits for vNIN */
  idNumber: string;
  firstName: string;
  lastName: string;
  /** YYYY-MM-DD. Needed for NIN and vNIN */
  dateOfBirth?: string | undefined;
  email?: string | undefined;
  phoneNumber?: string | undefined;
  /** Needed for documents: JPEG, PNG, WebP or PDF, in Base64 or as a data URI; the whole body may have 10 MiB */
  idFrontImage?: string | undefined;
  /** Where a document has one: JPEG, PNG, WebP or PDF, in Base64 or as a data URI; the whole body may have 10 MiB */
  idBackImage?: string | undefined;
  /** Needed for BVN, NIN and vNIN (in Nigeria) and for GHANA_CARD (in Ghana) */
  address?: NewAddressInput | undefined;
}

export interface KycDecisionInput {
  status: "Initiated" | "Pending" | "Approved" | "Rejected";
  /** FINAL: do not try again. RETRY: may be submitted again, corrected */
  rejectType?: "FINAL" | "RETRY" | undefined;
  /** NAME_MISMATCH: The name differs from the one on record or on the document. DOB_MISMATCH: The date of birth differs from the one on record or on the document. ADDRESS_MISMATCH: The address differs from the one on record or on the document. DATA_MISMATCH: Something else that was submitted differs from the record or the document. NOT_FOUND: The register does not know the number or the business. FORGERY: The document or the person behind it is not genuine. EXPIRED_DOCUMENT: The document is out of date. UNREADABLE: The image cannot be read: blurred, cropped, damaged or of bad quality. INCOMPLETE: A page, a side or a required detail is missing. UNSUPPORTED_DOCUMENT: The document is of a kind that is not accepted. UNSUPPORTED_REGION: People or businesses of this country or region are not accepted. SELFIE_MISMATCH: The face does not match the one on the document. UNDERAGE: The person is too young. DUPLICATE: The person or business was already verified under another name or account. SANCTIONS: The person or business is on a sanctions list. RISK: Declined after screening. OTHER: None of the other labels fits. */
  rejectLabels?: Array<"NAME_MISMATCH" | "DOB_MISMATCH" | "ADDRESS_MISMATCH" | "DATA_MISMATCH" | "NOT_FOUND" | "FORGERY" | "EXPIRED_DOCUMENT" | "UNREADABLE" | "INCOMPLETE" | "UNSUPPORTED_DOCUMENT" | "UNSUPPORTED_REGION" | "SELFIE_MISMATCH" | "UNDERAGE" | "DUPLICATE" | "SANCTIONS" | "RISK" | "OTHER"> | undefined;
}

/** Where a verification stands */
export interface KycVerification {
  kycToken: string;
  clientReference: string;
  status: "Initiated" | "Pending" | "Approved" | "Rejected";
  /** From Approved on; needed to issue cards */
  customerId?: string;
  /** FINAL: do not try again. RETRY: may be submitted again, corrected */
  rejectType?: "FINAL" | "RETRY";
  /** NAME_MISMATCH: The name differs from the one on record or on the document. DOB_MISMATCH: The date of birth differs from the one on record or on the document. ADDRESS_MISMATCH: The address differs from the one on record or on the document. DATA_MISMATCH: Something else that was submitted differs from the record or the document. NOT_FOUND: The register does not know the number or the business. FORGERY: The document or the person behind it is not genuine. EXPIRED_DOCUMENT: The document is out of date. UNREADABLE: The image cannot be read: blurred, cropped, damaged or of bad quality. INCOMPLETE: A page, a side or a required detail is missing. UNSUPPORTED_DOCUMENT: The document is of a kind that is not accepted. UNSUPPORTED_REGION: People or businesses of this country or region are not accepted. SELFIE_MISMATCH: The face does not match the one on the document. UNDERAGE: The person is too young. DUPLICATE: The person or business was already verified under another name or account. SANCTIONS: The person or business is on a sanctions list. RISK: Declined after screening. OTHER: None of the other labels fits. */
  rejectLabels?: Array<"NAME_MISMATCH" | "DOB_MISMATCH" | "ADDRESS_MISMATCH" | "DATA_MISMATCH" | "NOT_FOUND" | "FORGERY" | "EXPIRED_DOCUMENT" | "UNREADABLE" | "INCOMPLETE" | "UNSUPPORTED_DOCUMENT" | "UNSUPPORTED_REGION" | "SELFIE_MISMATCH" | "UNDERAGE" | "DUPLICATE" | "SANCTIONS" | "RISK" | "OTHER">;
}

/** Where a purchase was made */
export interface Merchant {
  mid: string;
  mcc: string;
  name: string;
  city: string;
  country: string;
}

/** What became of one merchant */
export interface MerchantOutcome {
  mid: string;
  result: "Added" | "AlreadyListed" | "Removed" | "NotListed" | "Unblocked" | "Invalid";
  /** 134 for what is no merchant id, else 000 */
  responseCode: string;
}

/** The transaction that moved the money, and the balances it left */
export interface MovedMoney {
  transactionId: string;
  cardId: string;
  customerId: string;
  type: "Authorization" | "PreAuthorization" | "CashWithdrawal" | "Settlement" | "Refund" | "InitialFunding" | "TopUp" | "Withdrawal" | "Transfer" | "CrossBorderCharge" | "Regularization" | "TerminationPayout";
  stage: "Authorization" | "Settlement" | "Reversal" | "Refund" | "Declined" | "Expired" | "Completed";
  approved: boolean;
  responseCode: string;
  responseMessage: string;
  /** Major units, with no more decimals than the currency has */
  amount: number;
  /** ISO 4217 currency code */
  currency: string;
  /** Major units, with no more decimals than the currency has */
  billingAmount: number;
  /** ISO 4217 currency code */
  billingCurrency: string;
  /** Major units, with no more decimals than the currency has */
  heldAmount: number;
  /** Major units, with no more decimals than the currency has */
  settledAmount: number;
  /** Major units, with no more decimals than the currency has */
  reversedAmount: number;
  /** Major units, with no more decimals than the currency has */
  refundedAmount: number;
  overCaptured: boolean;
  merchant: Merchant | null;
  entryMode: string | null;
  approvalCode: string | null;
  networkReference: string | null;
  transferId?: string;
  events: TransactionEvent[];
  createdAt: string;
  updatedAt: string;
  /** Major units, with no more decimals than the currency has */
  cardBalance: number;
  /** Where the wallet was moved too */
  walletBalance?: number;
  /** Transfers: the card that paid */
  sourceCardId?: string;
  /** Transfers: the card that got it */
  beneficiaryCardId?: string;
}

export interface NewAddressInput {
  street: string;
  city: string;
  state: string;
  postalCode?: string | undefined;
  /** ISO 3166 alpha-2 or alpha-3 code, or the English name */
  country: string;
}

/** What cards can be issued in a currency, and on what terms */
export interface Programme {
  programmeId: string;
  /** ISO 4217 currency code */
  currency: string;
  /** ISO 3166 alpha-2; purchases elsewhere are cross-border */
  country: string;
  brand: "Visa" | "Mastercard" | "Verve";
  /** How card numbers begin */
  bin: string;
  cardTypes: Array<"Retail" | "Corporate" | "Lite">;
  expiryYears: number;
  /** The most that one top-up may bring */
  topUpMaximum: number;
  /** What a withdrawal must leave available */
  withdrawalMinimumLeft: number;
  /** The least that a lite card is issued with */
  liteMinimum: number;
  /** The most that a lite card is issued with */
  liteMaximum: number;
  liteMaximumSwipes: number;
  /** How far below zero a balance may be without keeping its customer from new cards */
  negativeBalanceTolerance: number;
  /** Percent */
  crossBorderPercent: number;
  /** Percent */
  overCaptureTolerancePercent: number;
  /** Days */
  holdDays: number;
  /** Days */
  preAuthorizationHoldDays: number;
  terminateNegativeAfterDays: number | null;
  autoRegularize: boolean;
  /** What one unit of another currency costs in the programme's currency */
  fx: Record<string, number>;
}

/** How asking your own system went */
export interface RemoteDecision {
  durationMs: number;
  timedOut: boolean;
  /** Whether the default decision stood in */
  defaultUsed: boolean;
  /** Why there was no valid answer */
  error?: string;
  /** What came when the decision had fallen */
  lateDecision?: "Approve" | "Decline";
  /** What you wanted noted */
  metadata?: Record<string, unknown>;
}

/** What became of an earlier request */
export interface RequestOutcome {
  reference: string;
  state: "InProgress" | "Succeeded" | "Failed" | "Unknown";
  method: string | null;
  path: string | null;
  httpStatus: number | null;
  responseCode: string | null;
  resourceId: string | null;
  completedAt: string | null;
}

/** What came of a message that was sent to try */
export interface TestDelivery {
  /** The webhook-id of the message */
  eventId: string;
  webhookEndpointId: string;
  at: string;
  /** Whether the answer was a 2xx */
  acknowledged: boolean;
  httpStatus: number | null;
  error?: string;
  durationMs: number;
}

/** One payment's whole life */
export interface Transaction {
  transactionId: string;
  cardId: string;
  customerId: string;
  type: "Authorization" | "PreAuthorization" | "CashWithdrawal" | "Settlement" | "Refund" | "InitialFunding" | "TopUp" | "Withdrawal" | "Transfer" | "CrossBorderCharge" | "Regularization" | "TerminationPayout";
  stage: "Authorization" | "Settlement" | "Reversal" | "Refund" | "Declined" | "Expired" | "Completed";
  approved: boolean;
  responseCode: string;
  responseMessage: string;
  /** Major units, with no more decimals than the currency has */
  amount: number;
  /** ISO 4217 currency code */
  currency: string;
  /** Major units, with no more decimals than the currency has */
  billingAmount: number;
  /** ISO 4217 currency code */
  billingCurrency: string;
  /** Major units, with no more decimals than the currency has */
  heldAmount: number;
  /** Major units, with no more decimals than the currency has */
  settledAmount: number;
  /** Major units, with no more decimals than the currency has */
  reversedAmount: number;
  /** Major units, with no more decimals than the currency has */
  refundedAmount: number;
  overCaptured: boolean;
  merchant: Merchant | null;
  entryMode: string | null;
  approvalCode: string | null;
  networkReference: string | null;
  transferId?: string;
  events: TransactionEvent[];
  createdAt: string;
  updatedAt: string;
  decision?: Decision;
}

/** One message in the life of a payment */
export interface TransactionEvent {
  requestType: string;
  /** Major units, with no more decimals than the currency has */
  amount: number;
  responseCode: string;
  at: string;
}

/** An organization's money in one currency */
export interface Wallet {
  walletId: string;
  /** ISO 4217 currency code */
  currency: string;
  /** Major units, with no more decimals than the currency has */
  balance: number;
  /** Major units, with no more decimals than the currency has */
  availableBalance: number;
}

/** One line of a wallet's ledger */
export interface WalletEntry {
  /** What moved the money */
  entryId: string;
  walletId: string;
  /** Why the money moved. Deposit: The sandbox began with it, or its simulator put it in. Adjustment: The operator put in what had arrived, or took out what was paid out. InitialFunding: A new card got what it begins with. TopUp: A card was topped up. Withdrawal: A card gave something back. Settlement: A purchase that the wallet pays, as you decide yours yourself, was settled, or posted without an authorization. Refund: A purchase that the wallet paid was refunded, or money came back without one. CrossBorderCharge: What such a purchase abroad costs on top. Regularization: What the cards of a closed balance owed was paid. TerminationPayout: What a closed balance still had came back. */
  kind: "Deposit" | "Adjustment" | "InitialFunding" | "TopUp" | "Withdrawal" | "Settlement" | "Refund" | "CrossBorderCharge" | "Regularization" | "TerminationPayout";
  /** Credit: the wallet got it */
  direction: "Debit" | "Credit";
  /** Major units, with no more decimals than the currency has */
  amount: number;
  /** ISO 4217 currency code */
  currency: string;
  /** Major units, with no more decimals than the currency has */
  balanceAfter: number;
  transactionId?: string;
  /** The Reference of the request that caused it */
  reference?: string;
  createdAt: string;
}

/** Where events are sent */
export interface WebhookEndpoint {
  webhookEndpointId: string;
  /** Where to send events: http or https, without user and password; in production https and a public address only */
  url: string;
  /** The types of events to send; none means all */
  eventTypes: Array<"kyc.initiated" | "kyc.pending" | "kyc.approved" | "kyc.rejected" | "card.issued" | "card.updated" | "card.merchants_changed" | "card.frozen" | "card.unfrozen" | "card.terminated" | "card.topped_up" | "card.withdrawn" | "card.transferred" | "card.regularized" | "transaction.authorized" | "transaction.declined" | "transaction.settled" | "transaction.reversed" | "transaction.partially_reversed" | "transaction.refunded" | "transaction.expired" | "charge.cross_border.collected" | "charge.cross_border.pending" | "authorization.remote_timeout" | "authorization.late_answer" | "wallet.deposited" | "webhook_endpoint.disabled">;
  /** A disabled endpoint is sent nothing */
  status: "Enabled" | "Disabled";
  createdAt: string;
}

/** An endpoint with the secret that signs what is sent to it */
export interface WebhookEndpointWithSecret {
  webhookEndpointId: string;
  /** Where to send events: http or https, without user and password; in production https and a public address only */
  url: string;
  /** The types of events to send; none means all */
  eventTypes: Array<"kyc.initiated" | "kyc.pending" | "kyc.approved" | "kyc.rejected" | "card.issued" | "card.updated" | "card.merchants_changed" | "card.frozen" | "card.unfrozen" | "card.terminated" | "card.topped_up" | "card.withdrawn" | "card.transferred" | "card.regularized" | "transaction.authorized" | "transaction.declined" | "transaction.settled" | "transaction.reversed" | "transaction.partially_reversed" | "transaction.refunded" | "transaction.expired" | "charge.cross_border.collected" | "charge.cross_border.pending" | "authorization.remote_timeout" | "authorization.late_answer" | "wallet.deposited" | "webhook_endpoint.disabled">;
  /** A disabled endpoint is sent nothing */
  status: "Enabled" | "Disabled";
  createdAt: string;
  /** Signs every message, as Standard Webhooks has it. Shown now and never again */
  secret: string;
}

/** Verify a person */
export interface VerifyIndividualBody {
  /** Your own name for the customer; the same one leads to the same customer */
  clientReference: string;
  individualKyc: IndividualKycInput;
}

/** Verify a business */
export interface VerifyBusinessBody {
  /** Your own name for the customer; the same one leads to the same customer */
  clientReference: string;
  businessKyc: BusinessKycInput;
}

/** List customers */
export interface ListCustomersQuery {
  /** How many to give, 20 if not said */
  limit?: number | undefined;
  /** The nextCursor of the page before; without it, the first page */
  cursor?: string | undefined;
  /** Not before this date or time, in UTC unless it has an offset */
  from?: string | undefined;
  /** Before this time; a date means the whole of that day, in UTC */
  to?: string | undefined;
  type?: "Individual" | "Business" | undefined;
  /** Exactly this one */
  clientReference?: string | undefined;
  /** Customers in whose names each of these words is the beginning of a word; case and accents do not matter */
  name?: string | undefined;
}

/** List a wallet's entries */
export interface ListWalletEntriesQuery {
  /** How many to give, 20 if not said */
  limit?: number | undefined;
  /** The nextCursor of the page before; without it, the first page */
  cursor?: string | undefined;
  /** Not before this date or time, in UTC unless it has an offset */
  from?: string | undefined;
  /** Before this time; a date means the whole of that day, in UTC */
  to?: string | undefined;
}

/** Issue a retail card */
export interface IssueRetailCardBody {
  /** A customer whose verification is Approved */
  customerId: string;
  /** ISO 4217 currency code */
  currency?: string | undefined;
  /** Moved from your wallet; 0 moves nothing */
  initialBalance?: number | undefined;
  /** The customer's name unless said otherwise */
  nameOnCard?: string | undefined;
  /** Whether the card may pay contactless and from digital wallets */
  contactlessPayment?: boolean | undefined;
  /** The most that the card may spend in a UTC day, and at once */
  cardLimits?: {
    /** Major units, with no more decimals than the currency has */
    dailyLimit?: number | undefined;
    /** Major units, with no more decimals than the currency has */
    transactionLimit?: number | undefined;
  } | undefined;
  /** Merchant category codes */
  whiteListedMccs?: string[] | undefined;
  /** Merchant category codes */
  blackListedMccs?: string[] | undefined;
  /** Your own notes on the card, as text */
  metadata?: Record<string, string> | undefined;
  address?: NewAddressInput | undefined;
}

/** Issue a corporate card */
export interface IssueCorporateCardBody {
  /** A customer whose verification is Approved */
  customerId: string;
  /** ISO 4217 currency code */
  currency?: string | undefined;
  /** Moved from your wallet; 0 moves nothing */
  initialBalance?: number | undefined;
  /** The customer's name unless said otherwise */
  nameOnCard?: string | undefined;
  /** Whether the card may pay contactless and from digital wallets */
  contactlessPayment?: boolean | undefined;
  /** The most that the card may spend in a UTC day, and at once */
  cardLimits?: {
    /** Major units, with no more decimals than the currency has */
    dailyLimit?: number | undefined;
    /** Major units, with no more decimals than the currency has */
    transactionLimit?: number | undefined;
  } | undefined;
  /** Merchant category codes */
  whiteListedMccs?: string[] | undefined;
  /** Merchant category codes */
  blackListedMccs?: string[] | undefined;
  /** Your own notes on the card, as text */
  metadata?: Record<string, string> | undefined;
  address?: NewAddressInput | undefined;
}

/** Issue a lite card */
export interface IssueLiteCardBody {
  /** A customer whose verification is Approved */
  customerId: string;
  /** What the card can spend in all, from your wallet */
  balance: number;
  /** After so many approved purchases the card terminates */
  swipeCount: number;
  /** ISO 4217 currency code */
  currency?: string | undefined;
  /** The most that the card may spend in a UTC day, and at once */
  cardLimits?: {
    /** Major units, with no more decimals than the currency has */
    dailyLimit?: number | undefined;
    /** Major units, with no more decimals than the currency has */
    transactionLimit?: number | undefined;
  } | undefined;
  /** Merchant category codes */
  whiteListedMccs?: string[] | undefined;
  /** Merchant category codes */
  blackListedMccs?: string[] | undefined;
  /** Your own notes on the card, as text */
  metadata?: Record<string, string> | undefined;
}

/** Re-issue a card */
export interface ReissueCardBody {
  /** A customer whose verification is Approved */
  customerId: string;
  /** true: the new card spends from the account of `cardId`. false: it gets an account of its own */
  sharedBalance: boolean;
  cardId?: string | undefined;
  /** Moved from your wallet; 0 moves nothing */
  initialBalance?: number | undefined;
  /** Whether the card may pay contactless and from digital wallets */
  contactlessPayment?: boolean | undefined;
  /** The most that the card may spend in a UTC day, and at once */
  cardLimits?: {
    /** Major units, with no more decimals than the currency has */
    dailyLimit?: number | undefined;
    /** Major units, with no more decimals than the currency has */
    transactionLimit?: number | undefined;
  } | undefined;
  /** Merchant category codes */
  whiteListedMccs?: string[] | undefined;
  /** Merchant category codes */
  blackListedMccs?: string[] | undefined;
  /** Your own notes on the card, as text */
  metadata?: Record<string, string> | undefined;
  address?: NewAddressInput | undefined;
}

/** List cards */
export interface ListCardsQuery {
  /** How many to give, 20 if not said */
  limit?: number | undefined;
  /** The nextCursor of the page before; without it, the first page */
  cursor?: string | undefined;
  /** Not before this date or time, in UTC unless it has an offset */
  from?: string | undefined;
  /** Before this time; a date means the whole of that day, in UTC */
  to?: string | undefined;
  status?: "Active" | "Frozen" | "Terminated" | undefined;
  type?: "Retail" | "Corporate" | "Lite" | undefined;
  customerId?: string | undefined;
  /** ISO 4217 currency code */
  currency?: string | undefined;
}

/** Change a card */
export interface ChangeCardBody {
  /** Replaces all limits of the card; a limit that is null or missing is gone */
  cardLimits?: {
    dailyLimit?: number | null | undefined;
    transactionLimit?: number | null | undefined;
  } | null | undefined;
  /** Merchant category codes */
  whiteListedMccs?: string[] | undefined;
  /** Merchant category codes */
  blackListedMccs?: string[] | undefined;
  contactlessPayment?: boolean | undefined;
  /** Your own notes on the card, as text */
  metadata?: Record<string, string> | undefined;
}

/** Top up a card */
export interface TopUpCardBody {
  /** Major units, with no more decimals than the currency has */
  amount: number;
}

/** Withdraw money from a card */
export interface WithdrawFromCardBody {
  /** Major units, with no more decimals than the currency has */
  amount: number;
}

/** Transfer money from card to card */
export interface TransferBetweenCardsBody {
  sourceCardId: string;
  beneficiaryCardId: string;
  /** Major units, with no more decimals than the currency has */
  amount: number;
}

/** List a card's cross-border charges */
export interface ListCrossBorderChargesQuery {
  /** How many to give, 20 if not said */
  limit?: number | undefined;
  /** The nextCursor of the page before; without it, the first page */
  cursor?: string | undefined;
}

/** Terminate a card */
export interface TerminateCardBody {
  /** Shown as terminationReason; Requested if not said */
  reason?: string | undefined;
}

/** Block merchants */
export interface BlacklistMerchantsBody {
  /** One merchant */
  mid?: string | undefined;
  /** Several merchants, at most 100 */
  mids?: string[] | undefined;
}

/** Stop blocking merchants */
export interface RemoveMerchantBlacklistBody {
  /** One merchant */
  mid?: string | undefined;
  /** Several merchants, at most 100 */
  mids?: string[] | undefined;
}

/** Restrict a card to merchants */
export interface WhitelistMerchantsBody {
  /** One merchant */
  mid?: string | undefined;
  /** Several merchants, at most 100 */
  mids?: string[] | undefined;
}

/** Lift a restriction to merchants */
export interface RemoveMerchantWhitelistBody {
  /** One merchant */
  mid?: string | undefined;
  /** Several merchants, at most 100 */
  mids?: string[] | undefined;
}

/** Let a blocked merchant pass once */
export interface UnblockMerchantsOnceBody {
  /** One merchant */
  mid?: string | undefined;
  /** Several merchants, at most 100 */
  mids?: string[] | undefined;
}

/** List transactions */
export interface ListTransactionsQuery {
  /** How many to give, 20 if not said */
  limit?: number | undefined;
  /** The nextCursor of the page before; without it, the first page */
  cursor?: string | undefined;
  /** Not before this date or time, in UTC unless it has an offset */
  from?: string | undefined;
  /** Before this time; a date means the whole of that day, in UTC */
  to?: string | undefined;
  cardId?: string | undefined;
  customerId?: string | undefined;
  type?: "Authorization" | "PreAuthorization" | "CashWithdrawal" | "Settlement" | "Refund" | "InitialFunding" | "TopUp" | "Withdrawal" | "Transfer" | "CrossBorderCharge" | "Regularization" | "TerminationPayout" | undefined;
  stage?: "Authorization" | "Settlement" | "Reversal" | "Refund" | "Declined" | "Expired" | "Completed" | undefined;
  /** The currency of the payment, not of the card */
  currency?: string | undefined;
  approved?: boolean | undefined;
}

/** See what would be decided */
export interface RehearseAuthorizationBody {
  cardId: string;
  /** Major units, with no more decimals than the currency has */
  amount: number;
  /** The card's, unless given */
  currency?: string | undefined;
  requestType?: "Authorization" | "PreAuthorization" | "CashWithdrawal" | undefined;
  /** Where it happens; a merchant of the card's country unless said otherwise */
  merchant?: {
    mid?: string | undefined;
    mcc?: string | undefined;
    name?: string | undefined;
    city?: string | undefined;
    /** ISO 3166 alpha-2 or alpha-3 code, or the English name */
    country?: string | undefined;
  } | undefined;
  entryMode?: "Ecommerce" | "Chip" | "MagStripe" | "Contactless" | "DeviceWallet" | undefined;
  cvv?: string | undefined;
  expiryMonth?: number | undefined;
  expiryYear?: number | undefined;
  /** Names the message: one that repeats is answered as the first was, with no second effect */
  networkReference?: string | undefined;
}

/** Choose who decides authorizations */
export interface SetCardAuthorizationSettingsBody {
  /** ServiceManaged: the service decides, and each card pays for itself. CustomerManaged: you are asked, and your wallet pays */
  model: "ServiceManaged" | "CustomerManaged";
  authorizationUrl?: string | null | undefined;
  defaultAuthorizationDecision?: "AutoApprove" | "AutoDecline" | null | undefined;
}

/** Create a webhook endpoint */
export interface CreateWebhookEndpointBody {
  /** Where to send events: http or https, without user and password; in production https and a public address only */
  url: string;
  /** The types of events to send; none means all */
  eventTypes?: Array<"kyc.initiated" | "kyc.pending" | "kyc.approved" | "kyc.rejected" | "card.issued" | "card.updated" | "card.merchants_changed" | "card.frozen" | "card.unfrozen" | "card.terminated" | "card.topped_up" | "card.withdrawn" | "card.transferred" | "card.regularized" | "transaction.authorized" | "transaction.declined" | "transaction.settled" | "transaction.reversed" | "transaction.partially_reversed" | "transaction.refunded" | "transaction.expired" | "charge.cross_border.collected" | "charge.cross_border.pending" | "authorization.remote_timeout" | "authorization.late_answer" | "wallet.deposited" | "webhook_endpoint.disabled"> | undefined;
}

/** List webhook endpoints */
export interface ListWebhookEndpointsQuery {
  /** How many to give, 20 if not said */
  limit?: number | undefined;
  /** The nextCursor of the page before; without it, the first page */
  cursor?: string | undefined;
}

/** Change a webhook endpoint */
export interface ChangeWebhookEndpointBody {
  /** Where to send events: http or https, without user and password; in production https and a public address only */
  url?: string | undefined;
  /** The types of events to send; none means all */
  eventTypes?: Array<"kyc.initiated" | "kyc.pending" | "kyc.approved" | "kyc.rejected" | "card.issued" | "card.updated" | "card.merchants_changed" | "card.frozen" | "card.unfrozen" | "card.terminated" | "card.topped_up" | "card.withdrawn" | "card.transferred" | "card.regularized" | "transaction.authorized" | "transaction.declined" | "transaction.settled" | "transaction.reversed" | "transaction.partially_reversed" | "transaction.refunded" | "transaction.expired" | "charge.cross_border.collected" | "charge.cross_border.pending" | "authorization.remote_timeout" | "authorization.late_answer" | "wallet.deposited" | "webhook_endpoint.disabled"> | undefined;
  status?: "Enabled" | "Disabled" | undefined;
}

/** Recover what an endpoint missed */
export interface RecoverWebhookEndpointBody {
  /** Events from this date or time on */
  since: string;
}

/** List events */
export interface ListEventsQuery {
  /** How many to give, 20 if not said */
  limit?: number | undefined;
  /** The nextCursor of the page before; without it, the first page */
  cursor?: string | undefined;
  /** Not before this date or time, in UTC unless it has an offset */
  from?: string | undefined;
  /** Before this time; a date means the whole of that day, in UTC */
  to?: string | undefined;
  /** `desc`: newest first. `asc`: a feed in the order of commits, which never skips; its nextCursor is never null, and leads on once more has happened */
  order?: "asc" | "desc" | undefined;
  type?: "kyc.initiated" | "kyc.pending" | "kyc.approved" | "kyc.rejected" | "card.issued" | "card.updated" | "card.merchants_changed" | "card.frozen" | "card.unfrozen" | "card.terminated" | "card.topped_up" | "card.withdrawn" | "card.transferred" | "card.regularized" | "transaction.authorized" | "transaction.declined" | "transaction.settled" | "transaction.reversed" | "transaction.partially_reversed" | "transaction.refunded" | "transaction.expired" | "charge.cross_border.collected" | "charge.cross_border.pending" | "authorization.remote_timeout" | "authorization.late_answer" | "wallet.deposited" | "webhook_endpoint.disabled" | undefined;
  cardId?: string | undefined;
  clientReference?: string | undefined;
}

/** Deposit money into a wallet */
export interface SimulateDepositBody {
  /** ISO 4217 currency code */
  currency: string;
  /** Major units, with no more decimals than the currency has */
  amount: number;
}

/** Decide a verification */
export type SimulateKycDecisionBody = KycDecisionInput;

/** Move the service's clock forward */
export interface AdvanceClockBody {
  seconds: number;
}

/** Let something go wrong */
export type InjectFaultBody = FaultOrderInput;

/** Buy something with a card */
export interface SimulateAuthorizationBody {
  cardId: string;
  /** Major units, with no more decimals than the currency has */
  amount: number;
  /** The card's, unless given */
  currency?: string | undefined;
  requestType?: "Authorization" | "PreAuthorization" | "CashWithdrawal" | undefined;
  /** Where it happens; a merchant of the card's country unless said otherwise */
  merchant?: {
    mid?: string | undefined;
    mcc?: string | undefined;
    name?: string | undefined;
    city?: string | undefined;
    /** ISO 3166 alpha-2 or alpha-3 code, or the English name */
    country?: string | undefined;
  } | undefined;
  entryMode?: "Ecommerce" | "Chip" | "MagStripe" | "Contactless" | "DeviceWallet" | undefined;
  cvv?: string | undefined;
  expiryMonth?: number | undefined;
  expiryYear?: number | undefined;
  /** Names the message: one that repeats is answered as the first was, with no second effect */
  networkReference?: string | undefined;
}

/** Settle a purchase */
export interface SimulateSettlementBody {
  /** All that is left, unless given */
  amount?: number | undefined;
  /** Whether more settlements will follow, so that the rest stays held */
  partial?: boolean | undefined;
  /** Names the message: one that repeats is answered as the first was, with no second effect */
  networkReference?: string | undefined;
}

/** Reverse a purchase */
export interface SimulateReversalBody {
  /** All that is left, unless given */
  amount?: number | undefined;
  /** Whether more settlements will follow, so that the rest stays held */
  partial?: boolean | undefined;
  /** Names the message: one that repeats is answered as the first was, with no second effect */
  networkReference?: string | undefined;
}

/** Refund a purchase */
export interface SimulateRefundBody {
  /** All that is left, unless given */
  amount?: number | undefined;
  /** Whether more settlements will follow, so that the rest stays held */
  partial?: boolean | undefined;
  /** Names the message: one that repeats is answered as the first was, with no second effect */
  networkReference?: string | undefined;
}

/** Settle without an authorization */
export interface SimulateForcePostBody {
  cardId: string;
  /** Major units, with no more decimals than the currency has */
  amount: number;
  /** ISO 4217 currency code */
  currency?: string | undefined;
  /** Where it happens; a merchant of the card's country unless said otherwise */
  merchant?: {
    mid?: string | undefined;
    mcc?: string | undefined;
    name?: string | undefined;
    city?: string | undefined;
    /** ISO 3166 alpha-2 or alpha-3 code, or the English name */
    country?: string | undefined;
  } | undefined;
  /** Names the message: one that repeats is answered as the first was, with no second effect */
  networkReference?: string | undefined;
}

/** Refund without a purchase */
export interface SimulateUnlinkedRefundBody {
  cardId: string;
  /** Major units, with no more decimals than the currency has */
  amount: number;
  /** ISO 4217 currency code */
  currency?: string | undefined;
  /** Where it happens; a merchant of the card's country unless said otherwise */
  merchant?: {
    mid?: string | undefined;
    mcc?: string | undefined;
    name?: string | undefined;
    city?: string | undefined;
    /** ISO 3166 alpha-2 or alpha-3 code, or the English name */
    country?: string | undefined;
  } | undefined;
  /** Names the message: one that repeats is answered as the first was, with no second effect */
  networkReference?: string | undefined;
}

type NoFields = Record<never, never>;

/** Every operation: where it is, what it takes and what it answers. */
export interface Operations {
  /** For a client that lost an answer: what became of the request with this Reference in the last 24 hours. Unknown means that it has left no trace yet: send it again with the same Reference. */
  readRequest: {
    method: "GET";
    path: "/api/v1/requests/{reference}";
    params: { reference: string };
    query: NoFields;
    body: undefined;
    data: RequestOutcome;
    paged: false;
  };
  /** BVN, NIN and vNIN are looked up at once: the answer is Approved or Rejected. A document is Initiated, then Pending, and decided later; each step is an event. A provider that cannot be asked is 502/152, one that is too slow 504/172: nothing is recorded then, and the same Reference may be tried again. */
  verifyIndividual: {
    method: "POST";
    path: "/api/v1/kyc/individual";
    params: NoFields;
    query: NoFields;
    body: VerifyIndividualBody;
    data: KycVerification;
    paged: false;
  };
  /** Initiated, then Pending, and decided later; each step is an event. */
  verifyBusiness: {
    method: "POST";
    path: "/api/v1/kyc/business";
    params: NoFields;
    query: NoFields;
    body: VerifyBusinessBody;
    data: KycVerification;
    paged: false;
  };
  /** For a client that missed an event. Stop asking at Approved or Rejected. */
  readVerification: {
    method: "GET";
    path: "/api/v1/kyc/{kycToken}";
    params: { kycToken: string };
    query: NoFields;
    body: undefined;
    data: KycVerification;
    paged: false;
  };
  /** Everyone who was ever submitted, newest first, with where they stand. Cards can be issued to those who are Approved. */
  listCustomers: {
    method: "GET";
    path: "/api/v1/customers";
    params: NoFields;
    query: ListCustomersQuery;
    body: undefined;
    data: Customer[];
    paged: true;
  };
  /** One customer, with the details of the verification that approved it, or of the latest. */
  readCustomer: {
    method: "GET";
    path: "/api/v1/customers/{customerId}";
    params: { customerId: string };
    query: NoFields;
    body: undefined;
    data: Customer;
    paged: false;
  };
  /** Your organization's wallets, one per currency. Cards are funded from them. */
  listWallets: {
    method: "GET";
    path: "/api/v1/wallets";
    params: NoFields;
    query: NoFields;
    body: undefined;
    data: Wallet[];
    paged: false;
  };
  /** The lines of the wallet's ledger, newest first, each with the balance it left. With `Accept: text/csv` the answer is a CSV file of all lines that the filter matches; `limit` and `cursor` then mean nothing. Text in it that a spreadsheet would take for a formula has an apostrophe before it. */
  listWalletEntries: {
    method: "GET";
    path: "/api/v1/wallets/{walletId}/entries";
    params: { walletId: string };
    query: ListWalletEntriesQuery;
    body: undefined;
    data: WalletEntry[];
    paged: true;
  };
  /** What cards can be issued, one programme per currency, with their limits and rates. */
  listProgrammes: {
    method: "GET";
    path: "/api/v1/programmes";
    params: NoFields;
    query: NoFields;
    body: undefined;
    data: Programme[];
    paged: false;
  };
  /** A card for a person whose verification is approved. `initialBalance` is moved from your wallet. */
  issueRetailCard: {
    method: "POST";
    path: "/api/v1/cards/retail";
    params: NoFields;
    query: NoFields;
    body: IssueRetailCardBody;
    data: Card;
    paged: false;
  };
  /** A card for a business whose verification is approved. `initialBalance` is moved from your wallet. */
  issueCorporateCard: {
    method: "POST";
    path: "/api/v1/cards/corporate";
    params: NoFields;
    query: NoFields;
    body: IssueCorporateCardBody;
    data: Card;
    paged: false;
  };
  /** A card with a balance that cannot be topped up and a number of purchases. It terminates when either is used up. */
  issueLiteCard: {
    method: "POST";
    path: "/api/v1/cards/lite";
    params: NoFields;
    query: NoFields;
    body: IssueLiteCardBody;
    data: Card;
    paged: false;
  };
  /** Another card for a customer. With `sharedBalance: true` it spends from the account of `cardId`, which stays as it is; with `false` it gets an account of its own with `initialBalance`. Type, currency, name and address are those of the original: `cardId`, or else the customer's latest card. A customer without one, or whose latest is a lite card, gets a retail or corporate card. */
  reissueCard: {
    method: "POST";
    path: "/api/v1/cards/reissue";
    params: NoFields;
    query: NoFields;
    body: ReissueCardBody;
    data: Card;
    paged: false;
  };
  /** Your organization's cards with their balances, newest first. */
  listCards: {
    method: "GET";
    path: "/api/v1/cards";
    params: NoFields;
    query: ListCardsQuery;
    body: undefined;
    data: Card[];
    paged: true;
  };
  /** The card with its balance and its settings; of its number, what may be shown. */
  getCard: {
    method: "GET";
    path: "/api/v1/cards/{cardId}";
    params: { cardId: string };
    query: NoFields;
    body: undefined;
    data: Card;
    paged: false;
  };
  /** Changes the settings of a card that is not terminated. Each field that is sent replaces the one before as a whole, so an empty list or object takes all of it away; what is not sent stays. */
  changeCard: {
    method: "PATCH";
    path: "/api/v1/cards/{cardId}";
    params: { cardId: string };
    query: NoFields;
    body: ChangeCardBody;
    data: Card;
    paged: false;
  };
  /** For PCI-compliant use only. The token needs the scope `CardSecrets`; the answer must not be cached, and every call is on record. */
  getCardSecrets: {
    method: "GET";
    path: "/api/v1/cards/{cardId}/secure";
    params: { cardId: string };
    query: NoFields;
    body: undefined;
    data: CardWithSecrets;
    paged: false;
  };
  /** Stops authorizations, withdrawals and transfers out, until the card is unfrozen. It can still be topped up, and purchases that were authorized before still settle. */
  freezeCard: {
    method: "POST";
    path: "/api/v1/cards/{cardId}/freeze";
    params: { cardId: string };
    query: NoFields;
    body: undefined;
    data: Card;
    paged: false;
  };
  /** Makes a frozen card active again. */
  unfreezeCard: {
    method: "POST";
    path: "/api/v1/cards/{cardId}/unfreeze";
    params: { cardId: string };
    query: NoFields;
    body: undefined;
    data: Card;
    paged: false;
  };
  /** Debits your wallet and credits the card with the same amount. A frozen card can be topped up. */
  topUpCard: {
    method: "POST";
    path: "/api/v1/cards/{cardId}/top-up";
    params: { cardId: string };
    query: NoFields;
    body: TopUpCardBody;
    data: MovedMoney;
    paged: false;
  };
  /** Debits the card and credits your wallet. The card must keep the minimum of its programme available. */
  withdrawFromCard: {
    method: "POST";
    path: "/api/v1/cards/{cardId}/withdraw";
    params: { cardId: string };
    query: NoFields;
    body: WithdrawFromCardBody;
    data: MovedMoney;
    paged: false;
  };
  /** Debits the source card and credits the beneficiary card, which has the same currency. Each side gets a transaction of its own with the same transferId, which is the transactionId of the source's; the source's is the answer. */
  transferBetweenCards: {
    method: "POST";
    path: "/api/v1/cards/transfers";
    params: NoFields;
    query: NoFields;
    body: TransferBetweenCardsBody;
    data: MovedMoney;
    paged: false;
  };
  /** What purchases abroad cost on top, collected or still pending; newest first. */
  listCrossBorderCharges: {
    method: "GET";
    path: "/api/v1/cards/{cardId}/cross-border-charges";
    params: { cardId: string };
    query: ListCrossBorderChargesQuery;
    body: undefined;
    data: CrossBorderCharge[];
    paged: true;
  };
  /** Tries the pending charges again, oldest first, each whole or not at all, from what is available now; a charge that is too large does not keep a smaller one from being collected. The 1000 oldest are tried. It works in every status of the card, since it takes no more than is there. */
  reprocessCrossBorderCharges: {
    method: "POST";
    path: "/api/v1/cards/{cardId}/cross-border-charges/reprocess";
    params: { cardId: string };
    query: NoFields;
    body: undefined;
    data: {
      collected: CrossBorderCharge[];
      pending: CrossBorderCharge[];
      /** Major units, with no more decimals than the currency has */
      cardBalance: number;
    };
    paged: false;
  };
  /** For good. Pending cross-border charges are collected first, as far as the money goes. With the last card of its balance, what is left goes back to your wallet as soon as no authorization holds it; a negative balance stays until it is regularized. */
  terminateCard: {
    method: "POST";
    path: "/api/v1/cards/{cardId}/terminate";
    params: { cardId: string };
    query: NoFields;
    body: TerminateCardBody | undefined;
    data: Card;
    paged: false;
  };
  /** Your wallet pays what a negative balance owes, and it ends at 0.00. All cards of the balance must be terminated; a card that lives is topped up instead. */
  regularizeCard: {
    method: "POST";
    path: "/api/v1/cards/{cardId}/regularize";
    params: { cardId: string };
    query: NoFields;
    body: undefined;
    data: MovedMoney;
    paged: false;
  };
  /** Purchases at blacklisted merchants are declined with 186. Takes one merchant id or up to 100, and answers for each on its own, in the order sent. A list holds at most 1,000 merchants (422/119 beyond); a terminated card takes no changes (422/143). */
  blacklistMerchants: {
    method: "POST";
    path: "/api/v1/cards/{cardId}/merchants/blacklist";
    params: { cardId: string };
    query: NoFields;
    body: BlacklistMerchantsBody;
    data: MerchantOutcome[];
    paged: false;
  };
  /** Takes merchants off the blacklist; a waiting one-time unblock goes with them. Takes one merchant id or up to 100, and answers for each on its own, in the order sent. A list holds at most 1,000 merchants (422/119 beyond); a terminated card takes no changes (422/143). */
  removeMerchantBlacklist: {
    method: "POST";
    path: "/api/v1/cards/{cardId}/merchants/blacklist/remove";
    params: { cardId: string };
    query: NoFields;
    body: RemoveMerchantBlacklistBody;
    data: MerchantOutcome[];
    paged: false;
  };
  /** While the whitelist has a merchant, purchases anywhere else are declined with 125, and the blacklist is not asked. Takes one merchant id or up to 100, and answers for each on its own, in the order sent. A list holds at most 1,000 merchants (422/119 beyond); a terminated card takes no changes (422/143). */
  whitelistMerchants: {
    method: "POST";
    path: "/api/v1/cards/{cardId}/merchants/whitelist";
    params: { cardId: string };
    query: NoFields;
    body: WhitelistMerchantsBody;
    data: MerchantOutcome[];
    paged: false;
  };
  /** Takes merchants off the whitelist; an empty one restricts nothing. Takes one merchant id or up to 100, and answers for each on its own, in the order sent. A list holds at most 1,000 merchants (422/119 beyond); a terminated card takes no changes (422/143). */
  removeMerchantWhitelist: {
    method: "POST";
    path: "/api/v1/cards/{cardId}/merchants/whitelist/remove";
    params: { cardId: string };
    query: NoFields;
    body: RemoveMerchantWhitelistBody;
    data: MerchantOutcome[];
    paged: false;
  };
  /** The next purchase at the blacklisted merchant that gets as far as the merchant check passes it, and uses this up, whether it is approved in the end or not. Takes one merchant id or up to 100, and answers for each on its own, in the order sent. A list holds at most 1,000 merchants (422/119 beyond); a terminated card takes no changes (422/143). */
  unblockMerchantsOnce: {
    method: "POST";
    path: "/api/v1/cards/{cardId}/merchants/one-time-unblock";
    params: { cardId: string };
    query: NoFields;
    body: UnblockMerchantsOnceBody;
    data: MerchantOutcome[];
    paged: false;
  };
  /** Purchases and everything else that moved money of cards, newest first; filters combine. With `Accept: text/csv` the answer is a CSV file of all that the filter matches; `limit` and `cursor` then mean nothing. */
  listTransactions: {
    method: "GET";
    path: "/api/v1/transactions";
    params: NoFields;
    query: ListTransactionsQuery;
    body: undefined;
    data: Transaction[];
    paged: true;
  };
  /** One payment's whole life. A purchase comes with its decision: every check in order, with the one that declined it. */
  getTransaction: {
    method: "GET";
    path: "/api/v1/transactions/{transactionId}";
    params: { transactionId: string };
    query: NoFields;
    body: undefined;
    data: Transaction;
    paged: false;
  };
  /** Takes what the simulator takes for a purchase and answers what would happen now. Nothing changes. With a `cvv` it tells whether that is right: without the scope CardSecrets a card can be tried 20 times so, and then once an hour (429/170). */
  rehearseAuthorization: {
    method: "POST";
    path: "/api/v1/authorizations/dry-run";
    params: NoFields;
    query: NoFields;
    body: RehearseAuthorizationBody;
    data: DecidedTransaction;
    paged: false;
  };
  /** The model that is in force, and where and how you are asked if it is yours. */
  getCardAuthorizationSettings: {
    method: "GET";
    path: "/api/v1/settings/card-authorization";
    params: NoFields;
    query: NoFields;
    body: undefined;
    data: CardAuthorizationSettings;
    paged: false;
  };
  /** Replaces the settings as a whole. The customer-managed model has to be enabled for your organization (otherwise 403/149) and needs both an address and a default decision; for the service-managed model they are optional. Payments that were decided before keep the account that pays for them, and go on being told to the latest address. */
  setCardAuthorizationSettings: {
    method: "PUT";
    path: "/api/v1/settings/card-authorization";
    params: NoFields;
    query: NoFields;
    body: SetCardAuthorizationSettingsBody;
    data: CardAuthorizationSettings;
    paged: false;
  };
  /** What happens from now on is sent there, signed with the secret of the answer. Keep it: it is not shown again. */
  createWebhookEndpoint: {
    method: "POST";
    path: "/api/v1/webhook-endpoints";
    params: NoFields;
    query: NoFields;
    body: CreateWebhookEndpointBody;
    data: WebhookEndpointWithSecret;
    paged: false;
  };
  /** Newest first. */
  listWebhookEndpoints: {
    method: "GET";
    path: "/api/v1/webhook-endpoints";
    params: NoFields;
    query: ListWebhookEndpointsQuery;
    body: undefined;
    data: WebhookEndpoint[];
    paged: true;
  };
  /** Where it is, what it is sent and whether it is enabled. */
  readWebhookEndpoint: {
    method: "GET";
    path: "/api/v1/webhook-endpoints/{webhookEndpointId}";
    params: { webhookEndpointId: string };
    query: NoFields;
    body: undefined;
    data: WebhookEndpoint;
    paged: false;
  };
  /** What is not sent stays. An endpoint that is enabled again is sent what happens from then on; recover what it missed. What is on its way by then may still arrive as before, for 25 seconds at most. */
  changeWebhookEndpoint: {
    method: "PATCH";
    path: "/api/v1/webhook-endpoints/{webhookEndpointId}";
    params: { webhookEndpointId: string };
    query: NoFields;
    body: ChangeWebhookEndpointBody;
    data: WebhookEndpoint;
    paged: false;
  };
  /** Nothing more is sent to it, not even what was still to be tried again; what is on its way by then may still arrive, for 25 seconds at most. */
  deleteWebhookEndpoint: {
    method: "DELETE";
    path: "/api/v1/webhook-endpoints/{webhookEndpointId}";
    params: { webhookEndpointId: string };
    query: NoFields;
    body: undefined;
    data: WebhookEndpoint;
    paged: false;
  };
  /** For 24 hours every message carries two signatures, by the new secret and by the one before, so that receivers can follow when it suits them. What is on its way by then has only the old one, for 25 seconds at most. */
  rotateWebhookSecret: {
    method: "POST";
    path: "/api/v1/webhook-endpoints/{webhookEndpointId}/rotate-secret";
    params: { webhookEndpointId: string };
    query: NoFields;
    body: undefined;
    data: WebhookEndpointWithSecret;
    paged: false;
  };
  /** Sends one signed message of the type `webhook_endpoint.test` now, even to a disabled endpoint, waits for the answer and says what came of it. It is no event: it is neither listed nor sent again. */
  testWebhookEndpoint: {
    method: "POST";
    path: "/api/v1/webhook-endpoints/{webhookEndpointId}/test";
    params: { webhookEndpointId: string };
    query: NoFields;
    body: undefined;
    data: TestDelivery;
    paged: false;
  };
  /** Sends every event since then that this endpoint wants and has not acknowledged: what failed, what waits for another attempt, and what happened while it was disabled or not there yet. Acknowledgements are known for 30 days; what is older is sent in any case. */
  recoverWebhookEndpoint: {
    method: "POST";
    path: "/api/v1/webhook-endpoints/{webhookEndpointId}/recover";
    params: { webhookEndpointId: string };
    query: NoFields;
    body: RecoverWebhookEndpointBody;
    data: WebhookEndpoint;
    paged: false;
  };
  /** Newest first; or, with `order=asc`, as a feed for clients that would rather fetch than be called. A page of a search may have fewer events than asked for, or none: read on while there is a nextCursor, in the feed until it is the cursor that was sent. */
  listEvents: {
    method: "GET";
    path: "/api/v1/events";
    params: NoFields;
    query: ListEventsQuery;
    body: undefined;
    data: Event[];
    paged: true;
  };
  /** One event, with the attempts at delivering it. */
  readEvent: {
    method: "GET";
    path: "/api/v1/events/{eventId}";
    params: { eventId: string };
    query: NoFields;
    body: undefined;
    data: EventWithAttempts;
    paged: false;
  };
  /** To every endpoint that is enabled and wants its type, whether or not it has acknowledged the event before, and with all attempts anew. */
  resendEvent: {
    method: "POST";
    path: "/api/v1/events/{eventId}/resend";
    params: { eventId: string };
    query: NoFields;
    body: undefined;
    data: EventWithAttempts;
    paged: false;
  };
  /** Creates money, so it exists in the sandbox only. A wallet is opened by its first deposit. */
  simulateDeposit: {
    method: "POST";
    path: "/api/v1/simulator/wallets/deposits";
    params: NoFields;
    query: NoFields;
    body: SimulateDepositBody;
    data: Wallet;
    paged: false;
  };
  /** Takes a verification on as its provider would. Steps may be skipped; their events are sent all the same. What is Approved or Rejected stays so: any other status is 422/133. */
  simulateKycDecision: {
    method: "POST";
    path: "/api/v1/simulator/kyc/{kycToken}";
    params: { kycToken: string };
    query: NoFields;
    body: SimulateKycDecisionBody;
    data: KycVerification;
    paged: false;
  };
  /** Limits, expiry of holds, References, tokens and webhook retries follow at once, in every process; the clock never goes back, and keeps its place over restarts. */
  advanceClock: {
    method: "POST";
    path: "/api/v1/simulator/clock/advance";
    params: NoFields;
    query: NoFields;
    body: AdvanceClockBody;
    data: {
      now: string;
    };
    paged: false;
  };
  /** Tests your side: your next webhook deliveries are dropped, doubled, delayed or overtaken, your next call loses its answer after its commit, your next verifications find their register down or too slow. Each kind has its own count; asking again for a kind replaces what is left of it. What was set is yours alone, and gone when the process ends. */
  injectFault: {
    method: "POST";
    path: "/api/v1/simulator/faults";
    params: NoFields;
    query: NoFields;
    body: InjectFaultBody;
    data: FaultsSet;
    paged: false;
  };
  /** Sends a purchase as the card network would. Approved or declined, the answer is 200/000 with the transaction; its responseCode and its decision say why. An amount of 0 verifies the card. */
  simulateAuthorization: {
    method: "POST";
    path: "/api/v1/simulator/authorizations";
    params: NoFields;
    query: NoFields;
    body: SimulateAuthorizationBody;
    data: DecidedTransaction;
    paged: false;
  };
  /** Captures what was held. Less than held releases the rest, unless it is marked partial; more than held is posted too. */
  simulateSettlement: {
    method: "POST";
    path: "/api/v1/simulator/transactions/{transactionId}/settle";
    params: { transactionId: string };
    query: NoFields;
    body: SimulateSettlementBody | undefined;
    data: MovedMoney;
    paged: false;
  };
  /** Releases what is held, or the amount given. Nothing held: 422/133; already reversed: 422/175; more than held: 422/165. */
  simulateReversal: {
    method: "POST";
    path: "/api/v1/simulator/transactions/{transactionId}/reverse";
    params: { transactionId: string };
    query: NoFields;
    body: SimulateReversalBody | undefined;
    data: MovedMoney;
    paged: false;
  };
  /** Gives back what was settled, or the amount given. More than was settled: 422/235. */
  simulateRefund: {
    method: "POST";
    path: "/api/v1/simulator/transactions/{transactionId}/refund";
    params: { transactionId: string };
    query: NoFields;
    body: SimulateRefundBody | undefined;
    data: MovedMoney;
    paged: false;
  };
  /** A force post: it posts whole, below zero if need be. */
  simulateForcePost: {
    method: "POST";
    path: "/api/v1/simulator/settlements";
    params: NoFields;
    query: NoFields;
    body: SimulateForcePostBody;
    data: MovedMoney;
    paged: false;
  };
  /** Credits the card's account. */
  simulateUnlinkedRefund: {
    method: "POST";
    path: "/api/v1/simulator/refunds";
    params: NoFields;
    query: NoFields;
    body: SimulateUnlinkedRefundBody;
    data: MovedMoney;
    paged: false;
  };
}

export const operations = {
  readRequest: { method: "GET", path: "/api/v1/requests/{reference}" },
  verifyIndividual: { method: "POST", path: "/api/v1/kyc/individual" },
  verifyBusiness: { method: "POST", path: "/api/v1/kyc/business" },
  readVerification: { method: "GET", path: "/api/v1/kyc/{kycToken}" },
  listCustomers: { method: "GET", path: "/api/v1/customers" },
  readCustomer: { method: "GET", path: "/api/v1/customers/{customerId}" },
  listWallets: { method: "GET", path: "/api/v1/wallets" },
  listWalletEntries: { method: "GET", path: "/api/v1/wallets/{walletId}/entries" },
  listProgrammes: { method: "GET", path: "/api/v1/programmes" },
  issueRetailCard: { method: "POST", path: "/api/v1/cards/retail" },
  issueCorporateCard: { method: "POST", path: "/api/v1/cards/corporate" },
  issueLiteCard: { method: "POST", path: "/api/v1/cards/lite" },
  reissueCard: { method: "POST", path: "/api/v1/cards/reissue" },
  listCards: { method: "GET", path: "/api/v1/cards" },
  getCard: { method: "GET", path: "/api/v1/cards/{cardId}" },
  changeCard: { method: "PATCH", path: "/api/v1/cards/{cardId}" },
  getCardSecrets: { method: "GET", path: "/api/v1/cards/{cardId}/secure" },
  freezeCard: { method: "POST", path: "/api/v1/cards/{cardId}/freeze" },
  unfreezeCard: { method: "POST", path: "/api/v1/cards/{cardId}/unfreeze" },
  topUpCard: { method: "POST", path: "/api/v1/cards/{cardId}/top-up" },
  withdrawFromCard: { method: "POST", path: "/api/v1/cards/{cardId}/withdraw" },
  transferBetweenCards: { method: "POST", path: "/api/v1/cards/transfers" },
  listCrossBorderCharges: { method: "GET", path: "/api/v1/cards/{cardId}/cross-border-charges" },
  reprocessCrossBorderCharges: { method: "POST", path: "/api/v1/cards/{cardId}/cross-border-charges/reprocess" },
  terminateCard: { method: "POST", path: "/api/v1/cards/{cardId}/terminate" },
  regularizeCard: { method: "POST", path: "/api/v1/cards/{cardId}/regularize" },
  blacklistMerchants: { method: "POST", path: "/api/v1/cards/{cardId}/merchants/blacklist" },
  removeMerchantBlacklist: { method: "POST", path: "/api/v1/cards/{cardId}/merchants/blacklist/remove" },
  whitelistMerchants: { method: "POST", path: "/api/v1/cards/{cardId}/merchants/whitelist" },
  removeMerchantWhitelist: { method: "POST", path: "/api/v1/cards/{cardId}/merchants/whitelist/remove" },
  unblockMerchantsOnce: { method: "POST", path: "/api/v1/cards/{cardId}/merchants/one-time-unblock" },
  listTransactions: { method: "GET", path: "/api/v1/transactions" },
  getTransaction: { method: "GET", path: "/api/v1/transactions/{transactionId}" },
  rehearseAuthorization: { method: "POST", path: "/api/v1/authorizations/dry-run" },
  getCardAuthorizationSettings: { method: "GET", path: "/api/v1/settings/card-authorization" },
  setCardAuthorizationSettings: { method: "PUT", path: "/api/v1/settings/card-authorization" },
  createWebhookEndpoint: { method: "POST", path: "/api/v1/webhook-endpoints" },
  listWebhookEndpoints: { method: "GET", path: "/api/v1/webhook-endpoints" },
  readWebhookEndpoint: { method: "GET", path: "/api/v1/webhook-endpoints/{webhookEndpointId}" },
  changeWebhookEndpoint: { method: "PATCH", path: "/api/v1/webhook-endpoints/{webhookEndpointId}" },
  deleteWebhookEndpoint: { method: "DELETE", path: "/api/v1/webhook-endpoints/{webhookEndpointId}" },
  rotateWebhookSecret: { method: "POST", path: "/api/v1/webhook-endpoints/{webhookEndpointId}/rotate-secret" },
  testWebhookEndpoint: { method: "POST", path: "/api/v1/webhook-endpoints/{webhookEndpointId}/test" },
  recoverWebhookEndpoint: { method: "POST", path: "/api/v1/webhook-endpoints/{webhookEndpointId}/recover" },
  listEvents: { method: "GET", path: "/api/v1/events" },
  readEvent: { method: "GET", path: "/api/v1/events/{eventId}" },
  resendEvent: { method: "POST", path: "/api/v1/events/{eventId}/resend" },
  simulateDeposit: { method: "POST", path: "/api/v1/simulator/wallets/deposits" },
  simulateKycDecision: { method: "POST", path: "/api/v1/simulator/kyc/{kycToken}" },
  advanceClock: { method: "POST", path: "/api/v1/simulator/clock/advance" },
  injectFault: { method: "POST", path: "/api/v1/simulator/faults" },
  simulateAuthorization: { method: "POST", path: "/api/v1/simulator/authorizations" },
  simulateSettlement: { method: "POST", path: "/api/v1/simulator/transactions/{transactionId}/settle" },
  simulateReversal: { method: "POST", path: "/api/v1/simulator/transactions/{transactionId}/reverse" },
  simulateRefund: { method: "POST", path: "/api/v1/simulator/transactions/{transactionId}/refund" },
  simulateForcePost: { method: "POST", path: "/api/v1/simulator/settlements" },
  simulateUnlinkedRefund: { method: "POST", path: "/api/v1/simulator/refunds" },
} as const satisfies {
  [Id in keyof Operations]: Pick<Operations[Id], "method" | "path">;
};
