import type { buildConnector } from "undici";
import type { Reach } from "../../outbound/address.ts";
import { guardedConnector } from "../../outbound/connect.ts";
import { Names, type Resolve } from "../../outbound/names.ts";
import { failed, type Outcome } from "../../outbound/outcome.ts";
import { readUrl } from "../../outbound/url.ts";
import type { ManagedArrangement } from "../settings/settings-book.ts";
import { Line, type LineTimes } from "./line.ts";
import type { RemoteMessage } from "./message.ts";
import { signed } from "./signed.ts";

const CONNECT_TIMEOUT_MS = 3_000;
const UNUSED_MS = 600_000;
const SWEEP_MS = 60_000;

interface Known {
  line: Line;
  /** The revision of the settings that it was opened for: new ones get a new line, without past failures. */
  revision: bigint;
}

export interface LinesOptions {
  reach: Reach;
  /** Certificate authorities besides the usual ones. */
  ca?: string;
  times?: LineTimes;
  resolve?: Resolve;
}

/** The lines to all organizations that decide for themselves, each with connections of its own. */
export class Lines {
  readonly #reach: Reach;
  readonly #connect: buildConnector.connector;
  readonly #times: LineTimes | undefined;
  readonly #known = new Map<string, Known>();
  readonly #sweep: NodeJS.Timeout;

  constructor({ reach, ca, times, resolve }: LinesOptions) {
    this.#reach = reach;
    this.#times = times;
    this.#connect = guardedConnector({
      reach,
      resolve: resolve ?? new Names().resolve,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      ca,
    });
    this.#sweep = setInterval(() => this.#closeUnused(), SWEEP_MS).unref();
  }

  /** Opens connections before they are needed. */
  warm(organizationId: string, managed: ManagedArrangement): void {
    this.#lineOf(organizationId, managed)?.warm();
  }

  /** Asks; always has an outcome in time, and never throws. */
  async ask(
    organizationId: string,
    managed: ManagedArrangement,
    message: RemoteMessage,
  ): Promise<Outcome> {
    const line = this.#lineOf(organizationId, managed);
    if (line === undefined) return failed("RefusedAddress", 0);
    const posted = signed(managed.recipient.signer, message);
    const outcome = await line.send(posted);
    if (outcome.isAnswer || outcome.reason !== "Stopped") return outcome;
    // New settings took its place while this waited for a connection: nothing was sent yet.
    const another = this.#known.get(organizationId)?.line;
    return another === undefined || another === line ? outcome : another.send(posted);
  }

  close(): void {
    clearInterval(this.#sweep);
    for (const { line } of this.#known.values()) line.close();
    this.#known.clear();
  }

  #lineOf(organizationId: string, { recipient, revision }: ManagedArrangement): Line | undefined {
    const known = this.#known.get(organizationId);
    // A question that began under older settings must not replace the line of newer ones.
    if (known !== undefined && known.revision >= revision) return known.line;
    const read = readUrl(recipient.url, this.#reach);
    if ("problem" in read) return undefined;
    known?.line.close();
    const line = new Line(read.url, this.#connect, this.#times);
    this.#known.set(organizationId, { line, revision });
    return line;
  }

  #closeUnused(): void {
    const unusedSinceMs = performance.now() - UNUSED_MS;
    for (const [organizationId, { line }] of this.#known) {
      if (line.usedAtMs > unusedSinceMs) continue;
      this.#known.delete(organizationId);
      line.close();
    }
  }
}
