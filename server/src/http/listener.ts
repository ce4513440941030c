import type { Server, ServerOptions, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { FastifyInstance, FastifyServerOptions } from "fastify";
import { type Config, configKeys } from "../foundation/config/table.ts";
import { newId } from "../foundation/ids.ts";
import type { Tls } from "../foundation/tls.ts";
import { type ListenerName, publicAddress } from "./addresses.ts";
import { onConnection } from "./connections.ts";
import { answerInTurn } from "./pipelining.ts";
import { giveUpUnread } from "./unread.ts";

/** How long a stop waits for requests that are under way. */
const DRAIN_MS = 10_000;
const IDLE_CHECK_MS = 50;

/** Why Florin does not start, in one line for people. */
export class StartError extends Error {
  override readonly name = "StartError";
}

export type ListenerOptions = Pick<
  FastifyServerOptions,
  | "trustProxy"
  | "genReqId"
  | "pluginTimeout"
  | "requestTimeout"
  | "keepAliveTimeout"
  | "forceCloseConnections"
  | "return503OnClosing"
  | "clientErrorHandler"
> & {
  https: (Tls & ServerOptions) | null;
  http: ServerOptions;
};

/** What all HTTP listeners have in common: TLS, proxies, request ids, and bounds on slow peers. */
export function listenerOptions({ trustProxy }: Config, tls?: Tls): ListenerOptions {
  // A request without Host is refused like any other unauthenticated one, not by Node in its own words.
  const http = { requireHostHeader: false };
  return {
    http,
    https: tls === undefined ? null : { ...http, ...tls },
    trustProxy: trustProxy === undefined ? false : trustProxy.split(",").map((part) => part.trim()),
    genReqId: () => newId("req", Date.now()),
    // Nothing that is put together here waits for anybody; a slow machine only takes longer.
    pluginTimeout: 0,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: "idle",
    // A request that made it here before the door closed is served like any other.
    return503OnClosing: false,
    clientErrorHandler: refuseUnreadable,
  };
}

/** Bytes that are not HTTP, or headers beyond all bounds: there is no request to answer in full. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const message =
    error.code === "HPE_HEADER_OVERFLOW"
      ? "The headers are too large"
      : "The request is not valid HTTP";
  const body = JSON.stringify({
    responseCode: "131",
    responseMessage: message,
    finality: "TerminalFailure",
    requestId: newId("req", Date.now()),
    data: null,
    errors: [{ field: "request", message }],
  });
  socket.end(
    `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

/** An `Expect` header that nobody knows changes nothing; Node alone would answer 417 without a body. */
export function acceptAnyExpectation(server: Server): void {
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
}

/** Binds a listener and gives its public address: the configured one, or the one it got. */
export async function listen(
  app: FastifyInstance,
  config: Config,
  name: ListenerName,
): Promise<string> {
  const port = config[`${name}Port`];
  answerInTurn(app.server);
  giveUpUnread(app.server);
  watchSilentConnections(app.server);
  try {
    await app.listen({ host: config.host, port });
  } catch (error) {
    throw explainListenError(error, config.host, port, configKeys[`${name}Port`].env);
  }
  return publicAddress(config, name, (app.server.address() as AddressInfo).port);
}

export function explainListenError(error: unknown, host: string, port: number, env: string): Error {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") {
    return new StartError(
      `Port ${port} on ${host} is taken by another program: free it, or choose another with ${env}.`,
    );
  }
  if (code === "EACCES") {
    return new StartError(
      `Port ${port} on ${host} may not be bound by this user: choose another with ${env}.`,
    );
  }
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return new StartError(`FLORIN_HOST must be an address of this machine, which ${host} is not.`);
  }
  return error instanceof Error ? error : new Error(String(error));
}

/** Finishes the requests under way, within a bound, and closes. */
export async function closeListener(app: FastifyInstance): Promise<void> {
  draining.add(app.server);
  const deadline = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS);
  // Connections that clients keep open become idle one by one, as their last requests are answered.
  const idle = setInterval(() => {
    app.server.closeIdleConnections();
    for (const socket of silentConnections.get(app.server) ?? []) socket.destroy();
  }, IDLE_CHECK_MS);
  await app.close();
  clearInterval(idle);
  clearTimeout(deadline);
}

const draining = new WeakSet<object>();

/**
 * Lets the answer tell that its connection ends with it, while its listener stops: a client that was told
 * to keep it might send its next request into the void.
 */
export function partIfStopping(response: ServerResponse): void {
  const { server } = response.req.socket as Socket & { server?: object };
  if (server !== undefined && draining.has(server)) response.shouldKeepAlive = false;
}

/** Connections that have not sent a request yet: for Node they are not idle, and would hold up a stop. */
const silentConnections = new WeakMap<Server, Set<Socket>>();

function watchSilentConnections(server: Server): void {
  const silent = new Set<Socket>();
  silentConnections.set(server, silent);
  onConnection(server, (socket) => {
    silent.add(socket);
    socket.once("close", () => silent.delete(socket));
  });
  server.on("request", ({ socket }) => silent.delete(socket));
}
