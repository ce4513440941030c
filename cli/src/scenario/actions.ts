/** What a field of a step may hold. */
export type FieldKind =
  | "amount"
  | "boolean"
  | "duration"
  | "integer"
  | "list"
  | "object"
  | "text"
  /** A name that this step gives to what it makes. */
  | "newName"
  /** The name of something that an earlier step has made. */
  | Made
  | readonly string[];

export type Made = "card" | "transaction" | "customer";

interface ActionForm {
  fields: Record<string, FieldKind>;
  required?: readonly string[];
  /** The field that is meant when a step gives a bare value: `freeze: ada`. */
  shorthand?: string;
  makes?: Made;
  /** What the step works on; if it does not say which, the last one that was made. */
  worksOn?: Made;
}

const controls = {
  contactlessPayment: "boolean",
  cardLimits: "object",
  whiteListedMccs: "list",
  blackListedMccs: "list",
  metadata: "object",
} as const;

const payment = {
  amount: "amount",
  currency: "text",
  merchant: "object",
  networkReference: "text",
} as const;

const onCard = (fields: Record<string, FieldKind> = {}): ActionForm => ({
  fields: { card: "card", ...fields },
  shorthand: "card",
  worksOn: "card",
});

const onTransaction = (fields: Record<string, FieldKind> = {}): ActionForm => ({
  fields: { transaction: "transaction", ...fields },
  shorthand: "transaction",
  worksOn: "transaction",
});

const merchants = (): ActionForm => ({ ...onCard({ mids: "list" }), required: ["mids"] });

const money = (): ActionForm => ({
  ...onCard({ amount: "amount" }),
  required: ["amount"],
  shorthand: "amount",
});

/** Every action of a scenario with its fields; the guide lists them for people. */
export const actions = {
  verify: {
    fields: {
      as: "newName",
      type: ["Individual", "Business"],
      outcome: ["Initiated", "Pending", "Approved", "Rejected"],
    },
    makes: "customer",
  },
  issue: {
    fields: {
      as: "newName",
      type: ["Retail", "Corporate", "Lite"],
      customer: "customer",
      currency: "text",
      initialBalance: "amount",
      balance: "amount",
      swipeCount: "integer",
      nameOnCard: "text",
      ...controls,
    },
    makes: "card",
  },
  reissue: {
    fields: {
      as: "newName",
      card: "card",
      customer: "customer",
      sharedBalance: "boolean",
      initialBalance: "amount",
      ...controls,
    },
    required: ["sharedBalance"],
    makes: "card",
  },
  change: onCard(controls),
  freeze: onCard(),
  unfreeze: onCard(),
  terminate: onCard({ reason: "text" }),
  regularize: onCard(),
  "reprocess-charges": onCard(),
  "top-up": money(),
  withdraw: money(),
  transfer: {
    fields: { from: "card", to: "card", amount: "amount" },
    required: ["from", "to", "amount"],
  },
  blacklist: merchants(),
  "remove-blacklist": merchants(),
  whitelist: merchants(),
  "remove-whitelist": merchants(),
  "unblock-once": merchants(),
  authorize: {
    ...onCard({
      as: "newName",
      ...payment,
      requestType: ["Authorization", "PreAuthorization", "CashWithdrawal"],
      entryMode: ["Ecommerce", "Chip", "MagStripe", "Contactless", "DeviceWallet"],
      cvv: "text",
      expiryMonth: "integer",
      expiryYear: "integer",
    }),
    required: ["amount"],
    shorthand: "amount",
    makes: "transaction",
  },
  settle: onTransaction({ amount: "amount", partial: "boolean", networkReference: "text" }),
  reverse: onTransaction({ amount: "amount", networkReference: "text" }),
  refund: onTransaction({ amount: "amount", networkReference: "text" }),
  "force-post": {
    ...onCard({ as: "newName", ...payment }),
    required: ["amount"],
    shorthand: "amount",
    makes: "transaction",
  },
  "unlinked-refund": {
    ...onCard({ as: "newName", ...payment }),
    required: ["amount"],
    shorthand: "amount",
    makes: "transaction",
  },
  deposit: { fields: { currency: "text", amount: "amount" }, required: ["currency", "amount"] },
  "advance-clock": { fields: { by: "duration" }, required: ["by"], shorthand: "by" },
  "customer-managed": {
    fields: {
      answer: ["Approve", "Decline", "Nothing"],
      afterMs: "integer",
      responseCode: "text",
      default: ["AutoApprove", "AutoDecline"],
    },
  },
  "service-managed": { fields: {} },
  card: onCard(),
  transaction: onTransaction(),
  charges: onCard(),
  events: onCard(),
  wallet: { fields: { currency: "text" }, shorthand: "currency", required: ["currency"] },
  questions: { fields: {} },
} as const satisfies Record<string, ActionForm>;

export type Action = keyof typeof actions;

export const isAction = (name: string): name is Action => Object.hasOwn(actions, name);

export const formOf = (action: Action): ActionForm => actions[action];
