import type { RequestListener, Server } from "node:http";
import type { Socket } from "node:net";
import { startInStep } from "./in-step.ts";

/** How many requests may wait on a connection; no browser and no client of ours sends even a second one. */
const MAX_WAITING = 16;

/**
 * Starts a request only when the one before it on its connection is answered. Node would start them all, and
 * tell none but the first when the connection is gone: whatever the others hold would be held for ever.
 */
export function answerInTurn(server: Server): void {
  const [start] = server.listeners("request") as [RequestListener];
  const waiting = new WeakMap<Socket, number>();
  const startTogether = startInStep(start);
  server.off("request", start);
  server.on("request", (request, response) => {
    // Node gives the connection to one response at a time.
    if (response.socket !== null) return startTogether(request, response);
    const { socket } = request;
    const ahead = waiting.get(socket) ?? 0;
    if (ahead === MAX_WAITING) return socket.destroy();
    waiting.set(socket, ahead + 1);
    response.once("socket", () => {
      waiting.set(socket, (waiting.get(socket) ?? 0) - 1);
      // Not within the event, where Node has yet to flush what it holds for this response.
      process.nextTick(() => {
        if (!socket.destroyed) start(request, response);
      });
    });
  });
}
