import type { Card, Transaction } from "@florin/sdk";

/** What the dashboard's own routes answer. */

export const ROLES = ["Owner", "Developer", "Finance", "Support", "Viewer"] as const;
export type Role = (typeof ROLES)[number];

export const PERMISSIONS = [
  "people",
  "credentials",
  "webhooks",
  "authorization-settings",
  "sandbox",
  "requests",
  "audit",
  "cards.issue",
  "cards.money",
  "cards.status",
  "cards.controls",
  "cards.reveal",
  "cards.terminate",
  "kyc",
  "export",
] as const;
export type Permission = (typeof PERMISSIONS)[number];

export interface Me {
  state: "None" | "Totp" | "EnrolTotp" | "Full";
  csrfToken: string;
  environment: "sandbox" | "production";
  /** Whether letters are shown here instead of being sent. */
  hasMailbox: boolean;
  person?: { personId: string; name: string; email: string; role: Role };
  organization?: { organizationId: string; name: string };
  permissions?: Permission[];
  addresses: { api: string; identity: string };
}

export interface Registration {
  email: string;
  name: string;
  organizationName: string;
  role: Role;
  kind: "SignUp" | "Invitation";
}

export interface Enrolment {
  secret: string;
  uri: string;
  qrSvg: string;
}

/** A secret for another app, until a code proves that the app has it. */
export interface Replacement extends Enrolment {
  candidate: string;
}

export interface SecondFactorState {
  since: string | null;
  recoveryCodesLeft: number;
}

export interface Session {
  sessionId: string;
  current: boolean;
  createdAt: string;
  lastSeenAt: string;
  address: string;
  userAgent: string;
}

export interface Person {
  personId: string;
  name: string;
  email: string;
  role: Role;
  totp: boolean;
  lastSeenAt: string | null;
}

export interface Invitation {
  invitationId: string;
  email: string;
  name: string;
  role: Role;
  invitedBy: string;
  expiresAt: string;
}

export interface AuditEntry {
  auditId: string;
  at: string;
  person: { personId: string; name: string } | null;
  action: string;
  subject: string | null;
  detail: Record<string, unknown>;
  address: string | null;
  /** Null where only what was done is on record, or nobody knows how it ended. */
  outcome: { code: string; message: string; finality: string } | null;
}

/** A secret that counts now; null where it does so until it is rotated. */
export interface SecretTimes {
  createdAt: string;
  expiresAt: string | null;
}

export interface Credentials {
  clientId: string;
  uniqueKey: string;
  scopes: string[];
  defaultScopes: string[];
  secrets: SecretTimes[];
  revealable: boolean;
  /** Of what signs messages to the organization, as `secrets` are of what signs those from it. */
  signingSecrets: SecretTimes[];
}

export interface AuthorizationTest {
  decision: string;
  source: string;
  httpStatus: number | null;
  latencyMs: number;
  deadlineMs: number;
  inTime: boolean;
  problem: string | null;
}

export interface LoggedRequest {
  requestId: string;
  at: string;
  method: string;
  path: string;
  reference: string | null;
  responseCode: string;
  finality: string;
  httpStatus: number;
  durationMs: number;
}

export interface Delivery {
  eventId: string;
  eventType: string | null;
  status: "Pending" | "Delivered" | "Failed";
  attempts: number;
  nextAttemptAt: string | null;
  lastAttempt: { at: string; httpStatus: number | null; error: string | null } | null;
}

export interface Hits {
  cards: Pick<Card, "cardId" | "maskedPan" | "nameOnCard" | "type" | "status">[];
  customers: { customerId: string; name: string; clientReference: string }[];
  transactions: (Pick<Transaction, "transactionId" | "type" | "stage" | "amount" | "currency"> & {
    merchantName: string | null;
  })[];
}

export interface Home {
  wallets: { walletId: string; currency: string; balance: number }[];
  cards: {
    active: number;
    frozen: number;
    terminated: number;
    balances: { currency: string; balance: number }[];
  };
  days: {
    date: string;
    approved: number;
    declined: number;
    approvedAmount: { currency: string; amount: number }[];
  }[];
  declineReasons: { responseCode: string; message: string; count: number }[];
  managed: {
    asked: number;
    inTime: number;
    timedOut: number;
    /** How long answers took: of none, where there was none. */
    p50Ms: number | null;
    p99Ms: number | null;
  } | null;
  customers: { total: number; pendingKyc: number };
}

export interface MailHead {
  mailId: string;
  at: string;
  to: string;
  subject: string;
}

export interface Mail extends MailHead {
  text: string;
  html: string;
  links: string[];
}
