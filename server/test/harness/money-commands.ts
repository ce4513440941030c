import fc from "fast-check";
import { reprocessCharges } from "../../src/cards/charges/service.ts";
import { regularizeCard, terminateCard } from "../../src/cards/closing/service.ts";
import {
  topUpCard,
  transferBetweenCards,
  withdrawFromCard,
} from "../../src/cards/funding/service.ts";
import { issueLiteCard, issueNamedCard, reissueCard } from "../../src/cards/issuing/service.ts";
import { freezeCard, unfreezeCard } from "../../src/cards/settings/service.ts";
import { describeCleared } from "../../src/clearing/finish.ts";
import type { CodeName } from "../../src/foundation/codes.ts";
import type { Currency } from "../../src/foundation/currencies.ts";
import { Failure } from "../../src/foundation/failure.ts";
import { newId } from "../../src/foundation/ids.ts";
import type { Caller } from "../../src/http/caller.ts";
import {
  describeAuthorized,
  simulateFollowUp,
  simulatePost,
  simulatePurchase,
} from "../../src/network/simulator/service.ts";
import { depositMoney } from "../../src/wallets/service.ts";
import { newClaim } from "./claims.ts";
import type { Issuer } from "./issuer.ts";

/** An organization with customers, and what it has got so far. */
export interface Owner {
  organizationId: string;
  clientId: string;
  personId: string;
  businessId: string;
  cardIds: string[];
  /** Purchases that were approved, and force posts. */
  paymentIds: string[];
}

/** Something that is asked for, with places rather than ids, because those are not known beforehand. */
export interface Command {
  kind: Kind;
  owner: number;
  issuer: number;
  card: number;
  other: number;
  payment: number;
  cents: number;
  isAbroad: boolean;
  isForeign: boolean;
  /** How often it is sent at once, with the same Reference. */
  times: number;
  /** Names a message of the network; one of few, so that some meet. */
  name: number | undefined;
}

/** One request and what came of it. */
export interface Outcome {
  reference: string;
  command: Command;
  owner: Owner;
  refused?: CodeName;
  // biome-ignore lint/suspicious/noExplicitAny: answers are of every shape.
  answer?: any;
}

interface Scene {
  issuer: Issuer;
  owner: Owner;
  caller: Caller;
  command: Command;
  amount: number;
  cardId: string;
  otherId: string;
  paymentId: string;
  networkReference: string | undefined;
}

/** Of retail cards, so that some purchases are above it. */
const DAILY_LIMIT = 60;

const merchant = { mid: "SHOP1", mcc: "5999", name: "Shop", city: "Town" };

const merchantOf = ({ isAbroad }: Command) => ({ ...merchant, country: isAbroad ? "FR" : "US" });

/** What may be asked for, each as a client or the network would. */
const kinds = {
  deposit: ({ issuer, owner, command, caller }: Scene) => {
    const money = { currency: "USD", amountMinor: BigInt(command.cents) } as const;
    return depositMoney(issuer, owner.organizationId, money, caller.claim);
  },
  issue: ({ issuer, owner, caller, amount }: Scene) =>
    issueNamedCard(issuer, caller, "Retail", {
      ...cardOf(owner.personId),
      initialBalance: amount,
      cardLimits: { dailyLimit: DAILY_LIMIT, transactionLimit: 40 },
    }),
  issueEmpty: ({ issuer, owner, caller }: Scene) =>
    issueNamedCard(issuer, caller, "Corporate", {
      ...cardOf(owner.businessId),
      initialBalance: 0,
    }),
  issueLite: ({ issuer, owner, caller, command, amount }: Scene) =>
    issueLiteCard(issuer, caller, {
      customerId: owner.personId,
      currency: "USD",
      balance: amount + 1,
      swipeCount: 1 + (command.card % 3),
    }),
  reissueShared: ({ issuer, owner, caller, cardId }: Scene) =>
    reissueCard(issuer, caller, { ...reissueOf(owner), sharedBalance: true, cardId }),
  reissueApart: ({ issuer, owner, caller, amount }: Scene) =>
    reissueCard(issuer, caller, {
      ...reissueOf(owner),
      sharedBalance: false,
      initialBalance: amount,
    }),
  topUp: ({ issuer, caller, cardId, amount }: Scene) => topUpCard(issuer, caller, cardId, amount),
  withdraw: ({ issuer, caller, cardId, amount }: Scene) =>
    withdrawFromCard(issuer, caller, cardId, amount),
  transfer: ({ issuer, caller, cardId, otherId, amount }: Scene) => {
    const cards = { sourceCardId: cardId, beneficiaryCardId: otherId };
    return transferBetweenCards(issuer, caller, cards, amount);
  },
  freeze: ({ issuer, caller, cardId }: Scene) => freezeCard(issuer, caller, cardId),
  unfreeze: ({ issuer, caller, cardId }: Scene) => unfreezeCard(issuer, caller, cardId),
  terminate: ({ issuer, caller, cardId }: Scene) => terminateCard(issuer, caller, cardId),
  regularize: ({ issuer, caller, cardId }: Scene) => regularizeCard(issuer, caller, cardId),
  reprocess: ({ issuer, caller, cardId }: Scene) => reprocessCharges(issuer, caller, cardId),
  authorize: (scene: Scene) => purchase(scene, "Authorization"),
  preAuthorize: (scene: Scene) => purchase(scene, "PreAuthorization"),
  withdrawCash: (scene: Scene) => purchase(scene, "CashWithdrawal"),
  settle: (scene: Scene) => followUp(scene, "Settlement", { partial: false }),
  settleAmount: (scene: Scene) =>
    followUp(scene, "Settlement", { partial: false, amount: scene.amount }),
  settlePart: (scene: Scene) =>
    followUp(scene, "Settlement", { partial: true, amount: scene.amount }),
  reverse: (scene: Scene) => followUp(scene, "Reversal", {}),
  reversePart: (scene: Scene) => followUp(scene, "Reversal", { amount: scene.amount }),
  refund: (scene: Scene) => followUp(scene, "Refund", {}),
  refundPart: (scene: Scene) => followUp(scene, "Refund", { amount: scene.amount }),
  forcePost: (scene: Scene) => post(scene, "Settlement"),
  refundUnlinked: (scene: Scene) => post(scene, "Refund"),
} as const;

export type Kind = keyof typeof kinds;

const cardOf = (customerId: string) =>
  ({ customerId, currency: "USD", contactlessPayment: false }) as const;

const reissueOf = ({ personId }: Owner) => ({ customerId: personId, contactlessPayment: false });

const currencyOf = ({ isForeign }: Command): Currency => (isForeign ? "EUR" : "USD");

async function purchase(
  scene: Scene,
  requestType: "Authorization" | "PreAuthorization" | "CashWithdrawal",
) {
  const { issuer, caller, command, cardId, amount, networkReference } = scene;
  const body = {
    cardId,
    amount,
    currency: currencyOf(command),
    requestType,
    merchant: merchantOf(command),
    entryMode: "Ecommerce",
    networkReference,
  } as const;
  return describeAuthorized(await simulatePurchase(issuer, caller, body, issuer.door.authorize));
}

async function followUp(
  { issuer, caller, paymentId, networkReference }: Scene,
  kind: "Settlement" | "Reversal" | "Refund",
  body: { amount?: number; partial?: boolean },
) {
  const sent = { ...body, networkReference };
  return describeCleared(await simulateFollowUp(issuer, caller, paymentId, kind, sent));
}

async function post(
  { issuer, caller, command, cardId, amount, networkReference }: Scene,
  type: "Settlement" | "Refund",
) {
  const currency = currencyOf(command);
  const body = { cardId, amount, currency, merchant: merchantOf(command), networkReference };
  return describeCleared(await simulatePost(issuer, caller, type, body));
}

/** Sends a command as often as it says, and tells what each of the requests was answered. */
export function send(
  { issuers, owners }: { issuers: readonly Issuer[]; owners: readonly Owner[] },
  command: Command,
  reference: string,
): Promise<Outcome[]> {
  const owner = owners[command.owner] as Owner;
  const { organizationId, clientId } = owner;
  const place = placeOf(owner, command);
  const name = command.name === undefined ? undefined : `net-${command.name}`;
  return Promise.all(
    Array.from({ length: command.times }, async (_, n): Promise<Outcome> => {
      const claim = newClaim(reference, { clientId, requestId: `req_${reference}_${n}` });
      const scene: Scene = {
        ...place,
        owner,
        command,
        issuer: issuers[(command.issuer + n) % issuers.length] as Issuer,
        caller: {
          organizationId,
          clientId,
          maySeeSecrets: true,
          claim,
          receivedMs: performance.now(),
          handling: true,
        },
        amount: command.cents / 100,
        networkReference: name,
      };
      const sent = { reference, command, owner };
      try {
        // As the service does: two requests with one Reference take turns within a process.
        const run = () => kinds[command.kind](scene);
        return { ...sent, answer: await scene.issuer.inFlight.takeTurn<unknown>(claim, run) };
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        return { ...sent, refused: error.codeName };
      }
    }),
  );
}

/** Which card and payment a command is about. */
export function placeOf({ cardIds, paymentIds }: Owner, { card, other, payment }: Command) {
  return {
    cardId: at(cardIds, card) ?? newId("card", 0),
    // Another card, as a rule.
    otherId: at(cardIds, card + 1 + other) ?? newId("card", 0),
    paymentId: at(paymentIds, payment) ?? newId("txn", 0),
  };
}

/** Takes note of what there is now. */
export function learn({ owner, command, answer }: Outcome): void {
  if (answer === undefined) return;
  const isCard = "maskedPan" in answer && !owner.cardIds.includes(answer.cardId);
  // Lite cards come last: most of what can be asked for is refused to them.
  if (isCard && answer.type === "Lite") owner.cardIds.unshift(answer.cardId);
  else if (isCard) owner.cardIds.push(answer.cardId);
  const isPayment = purchases.has(command.kind) || command.kind === "forcePost";
  if (isPayment && answer.approved) owner.paymentIds.push(answer.transactionId);
}

export const purchases: ReadonlySet<Kind> = new Set(["authorize", "preAuthorize", "withdrawCash"]);

/** Counted from the newest. */
const at = <T>(list: readonly T[], place: number): T | undefined =>
  list[list.length - 1 - (place % list.length)];

/** How often each is asked for, in comparison. */
const weights: Readonly<Record<Kind, number>> = {
  deposit: 2,
  issue: 2,
  issueEmpty: 1,
  issueLite: 3,
  reissueShared: 4,
  reissueApart: 1,
  topUp: 10,
  withdraw: 6,
  transfer: 8,
  freeze: 1,
  unfreeze: 2,
  terminate: 2,
  regularize: 3,
  reprocess: 3,
  authorize: 16,
  preAuthorize: 3,
  withdrawCash: 3,
  settle: 7,
  settleAmount: 4,
  settlePart: 5,
  reverse: 4,
  reversePart: 4,
  refund: 3,
  refundPart: 4,
  forcePost: 3,
  refundUnlinked: 3,
};

const anyKind = fc.oneof(
  ...Object.entries(weights).map(([kind, weight]) => ({
    weight,
    arbitrary: fc.constant(kind as Kind),
  })),
);

/** The first ones mostly, so that much happens to the same cards. */
const somePlace = fc.oneof(
  { weight: 2, arbitrary: fc.nat(3) },
  { weight: 1, arbitrary: fc.nat(30) },
);

export const anyCommand: fc.Arbitrary<Command> = fc.record({
  kind: anyKind,
  owner: fc.nat(1),
  issuer: fc.nat(1),
  card: somePlace,
  other: somePlace,
  payment: somePlace,
  cents: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 4000 })),
  isAbroad: fc.boolean(),
  isForeign: fc.oneof(
    { weight: 4, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
  times: fc.oneof(
    { weight: 12, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.integer({ min: 2, max: 3 }) },
  ),
  name: fc.option(fc.nat(30), { freq: 4, nil: undefined }),
});
