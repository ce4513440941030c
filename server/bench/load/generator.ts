import type { Role } from "../roles.ts";
import { Connection, type Listener } from "./connection.ts";
import { type Order, SignedRequests } from "./requests.ts";
import { type LoadResult, Round } from "./round.ts";

const CONNECTIONS = 64;

export interface LoadGenerator {
  /** Opens the connections for what will be sent: one of these at random, each time. */
  aim(orders: Order[]): Promise<void>;
  /** Makes requests in advance. */
  sign(count: number): Promise<void>;
  run(seconds: number): Promise<LoadResult>;
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
    aim: async (orders) => {
      for (const connection of connections) connection.close();
      const target = new SignedRequests(orders);
      const url = new URL(orders[0]?.origin ?? "");
      requests = target;
      connections = await Promise.all(
        Array.from({ length: CONNECTIONS }, () => Connection.open(url, target.blank(), listener)),
      );
    },
    sign: async (count) => requests?.sign(count),
    run: async (seconds) => {
      if (requests === undefined) throw new Error("the load generator was given nothing to send");
      round = new Round(requests);
      return round.run(connections, seconds);
    },
  };
};
