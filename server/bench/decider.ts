import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Role } from "./roles.ts";

export interface Decider {
  /** Opens endpoints, of which the first so many hang; gives their addresses. */
  listen(count: number, hung: number): Promise<string[]>;
}

const APPROVAL = JSON.stringify({ decision: "Approve" });

/** Clients that decide their own authorizations: they approve at once, or never answer. */
export const decider: Role<Decider> = () => ({
  listen: (count, hung) =>
    Promise.all(Array.from({ length: count }, (_, index) => listen({ isHung: index < hung }))),
});

async function listen({ isHung }: { isHung: boolean }): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    if (!isHung) response.writeHead(200, { "content-type": "application/json" }).end(APPROVAL);
  });
  server.keepAliveTimeout = 600_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/authorizations`;
}
