import type { Server } from "node:http";
import type { Socket } from "node:net";
import { onConnection } from "./connections.ts";

/** How long a client may take to read something of what is sent to it. */
const UNREAD_PATIENCE_MS = 30_000;

/**
 * Lets go of clients that do not read, together with all that their answers hold. Looking at every connection
 * now and then costs a request nothing. What is written at once counts as sent when all of it is, which is some
 * hundred KB at most.
 */
export function giveUpUnread(server: Server): void {
  /** How much had been sent when more was waiting at the last look. */
  const stuckAt = new Map<Socket, number | undefined>();
  onConnection(server, (socket) => {
    stuckAt.set(socket, undefined);
    socket.once("close", () => stuckAt.delete(socket));
  });
  const look = setInterval(() => {
    for (const [socket, before] of stuckAt) {
      const { bytesWritten, writableLength } = socket;
      const sent = writableLength === 0 ? undefined : bytesWritten - writableLength;
      if (sent !== undefined && sent === before) socket.destroy();
      else stuckAt.set(socket, sent);
    }
  }, UNREAD_PATIENCE_MS).unref();
  server.once("close", () => clearInterval(look));
}
