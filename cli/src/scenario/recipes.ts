import { setTimeout as pause } from "node:timers/promises";
import type { EventType, Florin } from "@florin/sdk";
import { CommandFailure } from "../exit.ts";
import type { Action } from "./actions.ts";
import { runScenario } from "./run.ts";
import type { Fields, Step } from "./scenario.ts";

/** How an event is made to happen in a sandbox. */
export interface Recipe {
  how: string;
  /** As in a scenario, or something that needs more than that. */
  steps: readonly Step[] | ((florin: Florin) => Promise<void>);
}

const step = (action: Action, fields: Fields = {}, expect?: Fields): Step => ({
  action,
  fields,
  ...(expect === undefined ? {} : { expect }),
});

const funded = step("issue", { as: "card", initialBalance: 100 });
const bought = step("authorize", { amount: 25 });
const PARIS = { mid: "MUSEE1", mcc: "7991", name: "Musee", city: "Paris", country: "FR" };

/** One small recipe for every type of event that there is. */
export const recipes: Readonly<Record<EventType, Recipe>> = {
  "kyc.initiated": {
    how: "submits a business",
    steps: [step("verify", { type: "Business", outcome: "Initiated" })],
  },
  "kyc.pending": {
    how: "submits a business and takes it on",
    steps: [step("verify", { type: "Business", outcome: "Pending" })],
  },
  "kyc.approved": {
    how: "verifies a business",
    steps: [step("verify", { type: "Business", outcome: "Approved" })],
  },
  "kyc.rejected": {
    how: "rejects a business",
    steps: [step("verify", { type: "Business", outcome: "Rejected" })],
  },
  "card.issued": { how: "issues a card", steps: [funded] },
  "card.updated": {
    how: "changes a card's limits",
    steps: [funded, step("change", { cardLimits: { dailyLimit: 50 } })],
  },
  "card.merchants_changed": {
    how: "blocks a merchant",
    steps: [funded, step("blacklist", { mids: ["CASINO1"] })],
  },
  "card.frozen": { how: "freezes a card", steps: [funded, step("freeze")] },
  "card.unfrozen": {
    how: "freezes and unfreezes a card",
    steps: [funded, step("freeze"), step("unfreeze")],
  },
  "card.terminated": { how: "closes a card", steps: [funded, step("terminate")] },
  "card.topped_up": { how: "tops a card up", steps: [funded, step("top-up", { amount: 10 })] },
  "card.withdrawn": {
    how: "takes money off a card",
    steps: [funded, step("withdraw", { amount: 10 })],
  },
  "card.transferred": {
    how: "moves money between two cards",
    steps: [
      funded,
      step("issue", { as: "other" }),
      step("transfer", { from: "card", to: "other", amount: 10 }),
    ],
  },
  "card.regularized": {
    how: "settles the debt of a closed card",
    steps: [
      step("issue"),
      step("force-post", { amount: 10 }),
      step("terminate"),
      step("regularize"),
    ],
  },
  "transaction.authorized": { how: "buys something", steps: [funded, bought] },
  "transaction.declined": {
    how: "buys for more than the card has",
    steps: [funded, step("authorize", { amount: 100.01 }, { approved: false })],
  },
  "transaction.settled": { how: "buys and settles", steps: [funded, bought, step("settle")] },
  "transaction.reversed": { how: "buys and reverses", steps: [funded, bought, step("reverse")] },
  "transaction.partially_reversed": {
    how: "buys and reverses a part",
    steps: [funded, bought, step("reverse", { amount: 5 })],
  },
  "transaction.refunded": {
    how: "buys, settles and refunds",
    steps: [funded, bought, step("settle"), step("refund")],
  },
  "transaction.expired": {
    how: "buys, and moves the sandbox's clock by 8 days",
    steps: [funded, bought, step("advance-clock", { by: "8 days" })],
  },
  "charge.cross_border.collected": {
    how: "buys and settles abroad",
    steps: [funded, step("authorize", { amount: 25, merchant: PARIS }), step("settle")],
  },
  "charge.cross_border.pending": {
    how: "spends all of a card abroad",
    steps: [funded, step("authorize", { amount: 100, merchant: PARIS }), step("settle")],
  },
  "authorization.remote_timeout": {
    how: "lets a server of its own decide, which does not answer",
    steps: [
      funded,
      step("customer-managed", { answer: "Nothing" }),
      step("authorize", { amount: 25 }, { approved: false }),
    ],
  },
  "authorization.late_answer": {
    how: "lets a server of its own decide, which answers after 900 ms",
    steps: [
      step("issue", { as: "card" }),
      step("customer-managed", { answer: "Approve", afterMs: 900 }),
      step("authorize", { amount: 25 }, { approved: false }),
      step("questions", {}, { advices: ["Reversal"] }),
    ],
  },
  "wallet.deposited": {
    how: "puts money into a wallet",
    steps: [step("deposit", { currency: "USD", amount: 10 })],
  },
  "webhook_endpoint.disabled": {
    how: "lets an endpoint fail, and moves the sandbox's clock by 5 days",
    steps: failForFiveDays,
  },
};

export const eventTypes = Object.keys(recipes) as EventType[];

const HOUR_S = 3_600;
const PATIENCE_MS = 15_000;

/** An endpoint where nobody listens, until the service has given it up. */
async function failForFiveDays(florin: Florin): Promise<void> {
  const { webhookEndpointId } = await florin.webhookEndpoints.create({
    url: "http://127.0.0.1:9/nobody-listens",
    eventTypes: ["wallet.deposited"],
  });
  try {
    await florin.simulator.deposit({ currency: "USD", amount: 1 });
    const attempts = async (): Promise<number> => {
      const [event] = await florin.events.list({ type: "wallet.deposited", limit: 1 }).toArray(1);
      const all = event === undefined ? [] : (await florin.events.get(event.eventId)).attempts;
      return all.filter((attempt) => attempt.webhookEndpointId === webhookEndpointId).length;
    };
    await until(async () => (await attempts()) >= 1);
    await florin.simulator.advanceClock({ seconds: 119 * HOUR_S });
    await until(async () => (await attempts()) >= 2);
    await florin.simulator.advanceClock({ seconds: HOUR_S });
    await until(
      async () => (await florin.webhookEndpoints.get(webhookEndpointId)).status === "Disabled",
    );
  } finally {
    await florin.webhookEndpoints.delete(webhookEndpointId);
  }
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new CommandFailure("The sandbox did not get there in time.");
    await pause(100);
  }
}

/** Makes an event of this type happen. */
export async function makeHappen(florin: Florin, apiUrl: string, type: EventType): Promise<void> {
  const { steps } = recipes[type];
  if (typeof steps === "function") {
    await steps(florin);
    return;
  }
  const scenario = { name: type, title: type, about: "", steps };
  const { results } = await runScenario(florin, apiUrl, scenario);
  const problems = results.flatMap((result) => result.problems);
  if (problems.length > 0)
    throw new CommandFailure(`The sandbox did not play along: ${problems.join("; ")}`);
}
