import { collectGarbage } from "../garbage.ts";
import type { Role } from "../roles.ts";
import { Connection, type Listener } from "./connection.ts";
import { type Order, SignedRequests } from "./requests.ts";
import { type LoadOptions, type LoadResult, Round } from "./round.ts";

export interface LoadGenerator {
  /** Opens connections for what will be sent: one of these at random, each time. */
  aim(orders: Order[], connections: number): Promise<void>;
  /** Makes requests in advance. */
  sign(count: number): Promise<void>;
  run(options: LoadOptions): Promise<LoadResult>;
}

/** The load generator, in a process of its own so that neither side waits for the other's work. */
export const loadGenerator: Role<LoadGenerator> = () => {
  let connections: Connection[] = [];
  let requests: SignedRequests | undefined;
  let round: Round | undefined;
  const listener: Listener = {
    answered: (connection, bytes, answer) => round?.answered(connection, bytes, answer),
    broken: (reason) => round?.broken(reason),
  };
  return {
    aim: async (orders, count) => {
      for (const connection of connections) connection.close();
      const target = new SignedRequests(orders);
      const url = new URL(orders[0]?.origin ?? "");
      requests = target;
      connections = await Promise.all(
        Array.from({ length: count }, () => Connection.open(url, target.blank(), listener)),
      );
    },
    sign: async (count) => requests?.sign(count),
    run: async (options) => {
      if (requests === undefined) throw new Error("the load generator was given nothing to send");
      collectGarbage();
      round = new Round(requests, connections);
      return round.run(options);
    },
  };
};
