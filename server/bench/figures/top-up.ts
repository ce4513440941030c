import type { Bench } from "../bench.ts";
import type { Call } from "../client.ts";
import type { Figure, Yardstick } from "../figure.ts";
import { driveOrders, driveService } from "../load/drive.ts";
import { pgbenchTpcB } from "../yardsticks/pgbench-tpc-b.ts";

const body = JSON.stringify({ amount: 0.01 });

const topUpOf = ({ cardId }: { cardId: string }): Call => ({
  method: "POST",
  path: `/cards/${cardId}/top-up`,
  body,
});

/** 10,000 cards of eight organizations: as many wallets. */
async function measureManyWallets(bench: Bench) {
  const tenants = await bench.tenants();
  const orders = await Promise.all(
    tenants.map(({ client, cards }) => client.prepare(cards.map(topUpOf))),
  );
  return driveOrders(bench, orders.flat());
}

export const topUp: Figure = {
  name: "top-up",
  title: "POST /api/v1/cards/{cardId}/top-up, 64 in flight, 10,000 cards",
  unit: "/s",
  yardstick: pgbenchTpcB,
  target: { bound: "at least", value: 1.6, aim: 2.2 },
  measure: measureManyWallets,
};

const manyWallets: Yardstick = {
  name: "top-up-many-wallets",
  title: "top-ups from eight wallets",
  unit: "/s",
  measure: measureManyWallets,
};

export const topUpOneWallet: Figure = {
  name: "top-up-one-wallet",
  title: "POST /api/v1/cards/{cardId}/top-up, all from one wallet",
  unit: "/s",
  yardstick: manyWallets,
  target: { bound: "at least", value: 0.95, aim: 1 },
  measure: async (bench) => driveService(bench, ...(await bench.cards()).map(topUpOf)),
};
