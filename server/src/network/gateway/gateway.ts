import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import {
  createServer as createTlsServer,
  type TLSSocket,
  type Server as TlsServer,
} from "node:tls";
import type { Registry } from "prom-client";
import { Complaints } from "../../foundation/complaints.ts";
import { type Config, configKeys } from "../../foundation/config/table.ts";
import type { Tls } from "../../foundation/tls.ts";
import { explainListenError } from "../../http/listener.ts";
import { PeerConnection } from "./connection.ts";
import { Exchange, type ExchangeDeps } from "./exchange.ts";
import { GatewayMetrics, type Load } from "./metrics.ts";
import { type Peer, peerOf } from "./peers.ts";

/** How long a stop waits for messages that are under way. */
const DRAIN_MS = 10_000;
const TICK_MS = 1_000;
const HANDSHAKE_MS = 10_000;

export interface GatewayOptions extends Omit<ExchangeDeps, "metrics"> {
  config: Config;
  peers: readonly Peer[];
  /** With it, connections are encrypted. */
  tls: Tls | undefined;
  registry: Registry;
}

/** Where card networks connect: one TCP listener for all peers. A peer that is hurt or hostile hurts itself. */
export class Gateway {
  readonly #options: GatewayOptions;
  readonly #metrics: GatewayMetrics;
  readonly #exchange: Exchange;
  readonly #connections = new Set<PeerConnection>();
  /** Under TLS, whether or not the handshake is over. */
  readonly #sockets = new Set<Socket>();
  /** Those whose handshake is not over, by where they come from. */
  readonly #handshakes = new Map<string, Socket>();
  /** Lines that connections may fill the log with. */
  readonly #complaints = new Complaints();
  #server: Server | undefined;
  #ticks: NodeJS.Timeout | undefined;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#metrics = new GatewayMetrics(options.registry, () => this.#loads());
    this.#exchange = new Exchange({ ...options, metrics: this.#metrics });
  }

  /** Listens, and says where; nowhere if there are no peers. */
  async start(): Promise<string | undefined> {
    const { config, peers, log } = this.#options;
    if (peers.length === 0) return undefined;
    const server = this.#createServer();
    const { host, networkPort: port } = config;
    try {
      server.listen({ host, port });
      await once(server, "listening");
    } catch (error) {
      throw explainListenError(error, host, port, configKeys.networkPort.env);
    }
    server.on("error", (error) => log.error({ err: error }, "the gateway's listener failed"));
    this.#server = server;
    this.#ticks = setInterval(() => this.#tick(), TICK_MS).unref();
    const bound = (server.address() as AddressInfo).port;
    return `${host.includes(":") ? `[${host}]` : host}:${bound}`;
  }

  /** Takes nothing more, answers what is under way, within a bound, and closes. */
  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    clearInterval(this.#ticks);
    const closed = once(server, "close");
    server.close();
    for (const connection of this.#connections) connection.end();
    // Nothing that they could say was heard.
    for (const socket of this.#handshakes.values()) socket.destroy();
    const deadline = setTimeout(() => {
      for (const connection of this.#connections) connection.destroy();
      for (const socket of this.#sockets) socket.destroy();
    }, DRAIN_MS);
    await closed;
    clearTimeout(deadline);
  }

  #createServer(): Server {
    const secure = this.#createTls();
    const server = createServer({ allowHalfOpen: true, keepAlive: true });
    return server.on("connection", (socket) => {
      if (secure === undefined) this.#welcome(socket, undefined);
      else this.#shakeHands(socket, secure);
    });
  }

  #createTls(): TlsServer | undefined {
    const { tls } = this.#options;
    if (tls === undefined) return undefined;
    const secure = createTlsServer({
      ...tls,
      minVersion: "TLSv1.2",
      allowHalfOpen: true,
      handshakeTimeout: HANDSHAKE_MS,
      // Peers are known by the very certificate, which they prove to own, so no authority is asked.
      requestCert: true,
      rejectUnauthorized: false,
    });
    return secure.on("secureConnection", (socket) => {
      this.#handshakes.delete(originOf(socket));
      this.#welcome(socket, fingerprintOf(socket));
    });
  }

  /** Strangers do not get as far as a handshake, which would cost more than turning them away. */
  #shakeHands(socket: Socket, secure: TlsServer): void {
    const address = plain(socket.remoteAddress ?? "");
    if (!this.#options.peers.some((peer) => peer.isFrom(address))) {
      this.#turnAway(socket, address, undefined);
      return;
    }
    const origin = originOf(socket);
    this.#sockets.add(socket);
    this.#handshakes.set(origin, socket);
    socket.once("close", () => {
      this.#sockets.delete(socket);
      if (this.#handshakes.get(origin) === socket) this.#handshakes.delete(origin);
    });
    secure.emit("connection", socket);
  }

  #welcome(socket: Socket, certificate: string | undefined): void {
    const { config, peers, clock, log } = this.#options;
    const address = plain(socket.remoteAddress ?? "");
    const peer = peerOf(peers, address, certificate);
    if (peer === undefined || this.#countOf(peer) >= peer.maxConnections) {
      this.#turnAway(socket, address, peer);
      return;
    }
    const connection = new PeerConnection(socket, {
      peer,
      echoMs: config.networkEchoS * 1_000,
      take: (message, session) => this.#exchange.take(message, session),
      now: () => clock.now(),
      complain: (peer, reason) => this.#complain(peer.name, { peer: peer.name, reason }),
    });
    this.#connections.add(connection);
    log.info({ peer: peer.name, address }, "a peer connected");
    socket.once("close", () => {
      this.#connections.delete(connection);
      log.info({ peer: peer.name, address }, "a peer disconnected");
    });
  }

  #turnAway(socket: Socket, address: string, peer: Peer | undefined): void {
    this.#metrics.observeRefusedConnection();
    const reason = peer === undefined ? "is no peer's" : "is one too many";
    this.#complain("", { address, reason });
    socket.on("error", () => undefined).destroy();
  }

  #complain(key: string, what: object): void {
    if (this.#complaints.mayTell(key)) this.#options.log.warn(what, "a connection was closed");
  }

  #countOf(peer: Peer): number {
    return [...this.#connections].filter((connection) => connection.peer === peer).length;
  }

  #loads(): Load[] {
    return this.#options.peers.map((peer) => {
      const own = [...this.#connections].filter((connection) => connection.peer === peer);
      const inFlight = own.reduce((sum, connection) => sum + connection.inFlight, 0);
      return { peer: peer.name, connections: own.length, inFlight };
    });
  }

  #tick(): void {
    const nowMs = performance.now();
    for (const connection of this.#connections) connection.tick(nowMs);
  }
}

/** An IPv4 address is one, whichever way the listener is bound. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/, "");

const originOf = ({ remoteAddress, remotePort }: Socket): string =>
  `${remoteAddress} ${remotePort}`;

/** Of the certificate that the peer has shown, unless its time is over. */
function fingerprintOf(socket: TLSSocket): string | undefined {
  const { fingerprint256, valid_to: validTo } = socket.getPeerCertificate();
  if (fingerprint256 === undefined || !(Date.parse(validTo) > Date.now())) return undefined;
  return fingerprint256;
}
