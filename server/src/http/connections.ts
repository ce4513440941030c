import type { Server } from "node:http";
import type { Socket } from "node:net";
import { Server as TlsServer } from "node:tls";

/** Tells of each new connection of a listener, as HTTP has it: with TLS, what is inside. */
export function onConnection(server: Server, take: (socket: Socket) => void): void {
  server.on(server instanceof TlsServer ? "secureConnection" : "connection", take);
}
