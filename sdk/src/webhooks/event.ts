import type {
  Card,
  CrossBorderCharge,
  Event,
  KycVerification,
  ListEventsQuery,
  MerchantOutcome,
  MovedMoney,
} from "../generated/openapi.ts";

/** The type of something that happened. */
export type EventType = NonNullable<ListEventsQuery["type"]>;

/** What the events of each type tell. */
interface EventData {
  "card.merchants_changed": Card & { merchants: MerchantOutcome[] };
  "card.terminated": Card & PaidOut;
  "charge.cross_border.collected": CrossBorderCharge & { cardBalance: number };
  "charge.cross_border.pending": CrossBorderCharge & { cardBalance: number };
  "authorization.remote_timeout": {
    cardId: string;
    transactionId: string;
    requestId: string;
    requestType: string;
    durationMs: number;
    defaultAuthorizationDecision: "AutoApprove" | "AutoDecline";
  };
  "authorization.late_answer": {
    cardId: string;
    transactionId: string;
    requestId: string;
    lateDecision: "Approve" | "Decline";
    approved: boolean;
    responseCode: string;
  };
  "wallet.deposited": { walletId: string; currency: string; amount: number; balance: number };
  "webhook_endpoint.disabled": {
    webhookEndpointId: string;
    url: string;
    failingSince: string;
    disabledAt: string;
  };
}

/** What a terminated card had left and its wallet got, if this is what paid it out. */
interface PaidOut {
  payout?: MovedMoney;
}

type Clearing =
  `transaction.${"settled" | "reversed" | "partially_reversed" | "refunded" | "expired"}`;

type Moving = `card.${"topped_up" | "withdrawn" | "transferred" | "regularized"}`;

export type DataOf<Type extends EventType> = Type extends keyof EventData
  ? EventData[Type]
  : Type extends `kyc.${string}`
    ? KycVerification
    : Type extends Clearing
      ? MovedMoney & PaidOut
      : Type extends Moving | `transaction.${string}`
        ? MovedMoney
        : Card;

/** An event whose `data` is known by its `eventType`. */
export type TypedEvent = {
  [Type in EventType]: Omit<Event, "eventType" | "data"> & {
    eventType: Type;
    data: DataOf<Type>;
  };
}[EventType];

/**
 * What a webhook tells: one of the events, or the message of `webhookEndpoints.test`. Types that are newer
 * than this library arrive as well, so let a `switch` have a default.
 */
export type WebhookEvent =
  | TypedEvent
  | (Omit<Event, "eventType"> & { eventType: "webhook_endpoint.test" });
