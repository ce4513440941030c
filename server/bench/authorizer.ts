import { authorize } from "../src/authorization/authorize.ts";
import type { Purchase } from "../src/authorization/purchase.ts";
import type { CardFacts } from "../src/cards/card.ts";
import { Engine } from "../src/engine/engine.ts";
import { ServiceClock } from "../src/foundation/clock.ts";
import { newId } from "../src/foundation/ids.ts";
import { collectGarbage } from "./garbage.ts";
import type { Role } from "./roles.ts";
import type { SeededCard } from "./seed/cards.ts";
import { quantile } from "./statistics.ts";

const IN_FLIGHT = 64;
const LANES = 2;

interface AuthorizerResult {
  answers: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

export interface Authorizer {
  open(url: string, organizationId: string, cards: SeededCard[]): Promise<void>;
  run(seconds: number): Promise<AuthorizerResult>;
}

/** An engine of its own, kept busy with purchases. */
export const authorizer: Role<Authorizer> = () => {
  let engine: Engine | undefined;
  let next: () => Promise<unknown> = () => Promise.reject(new Error("Nothing is open."));
  return {
    open: async (url, organizationId, cards) => {
      await engine?.stop();
      const opened = new Engine({
        connectionString: url,
        name: "bench",
        lanes: LANES,
        durable: true,
        clock: new ServiceClock(),
      });
      engine = opened;
      const known = cards.map(factsOf);
      next = () => opened.run(authorize, organizationId, purchaseWith(known));
    },
    run: async (seconds) => {
      collectGarbage();
      const latenciesMs: number[] = [];
      let answers = 0;
      const deadlineMs = performance.now() + seconds * 1_000;
      const keepBuying = async (): Promise<void> => {
        for (let nowMs = performance.now(); nowMs < deadlineMs; ) {
          await next();
          answers++;
          const endedMs = performance.now();
          if (endedMs < deadlineMs) latenciesMs.push(endedMs - nowMs);
          nowMs = endedMs;
        }
      };
      await Promise.all(Array.from({ length: IN_FLIGHT }, keepBuying));
      const sorted = Float64Array.from(latenciesMs).sort();
      return {
        answers,
        perSecond: sorted.length / seconds,
        p50Ms: quantile(sorted, 0.5),
        p99Ms: quantile(sorted, 0.99),
      };
    },
  };
};

/** Made once, as the service remembers them. */
const factsOf = (card: SeededCard): CardFacts => ({
  ...card,
  type: "Retail",
  currency: "USD",
  programmeId: "usd-us",
  isGuest: false,
});

function purchaseWith(cards: CardFacts[]): Purchase {
  const card = cards[Math.floor(Math.random() * cards.length)];
  if (card === undefined) throw new Error("There are no cards.");
  const transactionId = newId("txn", Date.now());
  return {
    transactionId,
    requestType: "Authorization",
    card,
    amountMinor: 125n,
    currency: "USD",
    billing: { amountMinor: 125n, rate: null },
    merchant: { mid: "BENCH", mcc: "5411", name: "Bench Shop", city: "Anywhere", country: "US" },
    entryMode: "Ecommerce",
    cvv: "Absent",
    networkReference: `bench-${transactionId}`,
    approvalCode: transactionId.slice(-6).toUpperCase(),
    holdDays: 7,
    chargeTransactionIds: [],
  };
}
