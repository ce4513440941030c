import { setTimeout as pause } from "node:timers/promises";
import { readDuration } from "../terminal/duration.ts";
import type { Action } from "./actions.ts";
import { differences } from "./compare.ts";
import { verify } from "./people.ts";
import type { Fields, Step } from "./scenario.ts";
import type { Data, World } from "./world.ts";

type Perform = (world: World, fields: Fields, step: Step) => Promise<Data>;

/** Does what a step says, and gives the service's answer. */
export function perform(world: World, step: Step): Promise<Data> {
  return performances[step.action](world, step.fields, step);
}

const PATIENCE_MS = 5_000;
const LOOK_AGAIN_MS = 100;

/** Some things come a moment later: what is only looked at is looked at until it is as expected, or time is up. */
function settled(look: Perform): Perform {
  return async (world, fields, step) => {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const seen = await look(world, fields, step);
      const isAsExpected = differences(step.expect ?? {}, seen).length === 0;
      if (isAsExpected || Date.now() > deadline) return seen;
      await pause(LOOK_AGAIN_MS);
    }
  };
}

/** An operation on a card whose body is what the step says beside the card. */
const onCard =
  (operation: string, method = "POST"): Perform =>
  async (world, { card, ...body }) => {
    const path = `/cards/${world.idOf("card", card)}${operation}`;
    const hasBody = method !== "GET" && Object.keys(body).length > 0;
    return world.call(method, path, hasBody ? body : undefined);
  };

/** The same, whose answers come as a list. */
const merchants = (operation: string): Perform => {
  const call = onCard(`/merchants/${operation}`);
  return async (world, fields, step) => ({ results: await call(world, fields, step) });
};

const onTransaction =
  (operation: string): Perform =>
  async (world, { transaction, ...body }) => {
    const path = `/simulator/transactions/${world.idOf("transaction", transaction)}/${operation}`;
    return world.call("POST", path, world.named(body));
  };

const payment =
  (path: string): Perform =>
  async (world, { as, card, ...body }) => {
    const cardId = world.idOf("card", card);
    const made = await world.call("POST", path, { cardId, ...world.named(body) });
    world.remember("transaction", as, made.transactionId);
    return made;
  };

const performances: Record<Action, Perform> = {
  verify: async (world, { as, type, outcome }) => {
    const made = await verify(world, type, outcome);
    world.remember("customer", as, made.customerId);
    return made;
  },
  issue: async (world, { as, type = "Retail", customer, ...body }) => {
    const customerId = await customerFor(world, customer, type);
    const path = `/cards/${String(type).toLowerCase()}`;
    const made = await world.call("POST", path, { customerId, ...body });
    world.remember("card", as, made.cardId);
    return made;
  },
  reissue: async (world, { as, card, customer, ...body }) => {
    const original = card === undefined ? undefined : world.idOf("card", card);
    const customerId =
      customer === undefined
        ? (await world.florin.cards.get(original ?? world.idOf("card", undefined))).customerId
        : world.idOf("customer", customer);
    const wanted = { customerId, ...(original === undefined ? {} : { cardId: original }), ...body };
    const made = await world.call("POST", "/cards/reissue", wanted);
    world.remember("card", as, made.cardId);
    return made;
  },
  change: onCard("", "PATCH"),
  freeze: onCard("/freeze"),
  unfreeze: onCard("/unfreeze"),
  terminate: onCard("/terminate"),
  regularize: onCard("/regularize"),
  "reprocess-charges": onCard("/cross-border-charges/reprocess"),
  "top-up": onCard("/top-up"),
  withdraw: onCard("/withdraw"),
  transfer: async (world, { from, to, amount }) =>
    world.call("POST", "/cards/transfers", {
      sourceCardId: world.idOf("card", from),
      beneficiaryCardId: world.idOf("card", to),
      amount,
    }),
  blacklist: merchants("blacklist"),
  "remove-blacklist": merchants("blacklist/remove"),
  whitelist: merchants("whitelist"),
  "remove-whitelist": merchants("whitelist/remove"),
  "unblock-once": merchants("one-time-unblock"),
  authorize: payment("/simulator/authorizations"),
  settle: onTransaction("settle"),
  reverse: onTransaction("reverse"),
  refund: onTransaction("refund"),
  "force-post": payment("/simulator/settlements"),
  "unlinked-refund": payment("/simulator/refunds"),
  deposit: (world, body) => world.call("POST", "/simulator/wallets/deposits", body),
  "advance-clock": (world, { by }) =>
    world.call("POST", "/simulator/clock/advance", { seconds: readDuration(by) }),
  "customer-managed": (world, fields) => world.decideHere(fields),
  "service-managed": (world) => world.decideThere(),
  card: settled(onCard("", "GET")),
  transaction: settled((world, { transaction }) =>
    world.call("GET", `/transactions/${world.idOf("transaction", transaction)}`),
  ),
  charges: settled(async (world, { card }) => {
    const cardId = world.idOf("card", card);
    return { charges: (await world.florin.cards.crossBorderCharges(cardId).toArray()).reverse() };
  }),
  events: settled(eventsOf),
  wallet: settled((world, { currency }) => walletOf(world, String(currency))),
  questions: settled(questionsOf),
};

/** The customer that was named, or one of the story's own for all cards that name nobody. */
async function customerFor(world: World, name: unknown, cardType: unknown): Promise<string> {
  if (typeof name === "string") return world.idOf("customer", name);
  const type = cardType === "Corporate" ? "Business" : "Individual";
  const known = world.unnamedCustomers.get(type);
  if (known !== undefined) return known;
  const customerId = String((await verify(world, type, "Approved")).customerId);
  world.unnamedCustomers.set(type, customerId);
  return customerId;
}

async function eventsOf(world: World, { card }: Fields): Promise<Data> {
  const types: string[] = [];
  for await (const event of world.florin.events.list({ cardId: world.idOf("card", card) })) {
    types.unshift(event.eventType);
  }
  return { types };
}

async function walletOf(world: World, currency: string): Promise<Data> {
  const wallets = await world.florin.wallets.list();
  const wallet = wallets.find((one) => one.currency === currency);
  const balance = wallet?.balance ?? 0;
  const change = Number((balance - world.walletBefore(currency)).toFixed(4));
  return { ...wallet, currency, balance, change };
}

async function questionsOf({ decider }: World): Promise<Data> {
  return { questions: [...(decider?.questions ?? [])], advices: [...(decider?.advices ?? [])] };
}
