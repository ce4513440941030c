import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { FailureLog } from "../../foundation/failure-log.ts";
import { KeptThread } from "../../foundation/kept-thread.ts";
import { type Log, writeLine } from "../../foundation/log.ts";
import { within } from "../../foundation/within.ts";
import type { FaultKeeper } from "../../sandbox/faults/board.ts";
import type { Deliverer } from "./deliverer.ts";
import type { Candidate } from "./delivery.ts";
import type { Unseal } from "./targets.ts";
import type { OwnerFunctions, ThreadData, ThreadFunctions } from "./thread-messages.ts";

/** Longer than deliveries are waited for; a database that hangs may take longer. */
const STOP_PATIENCE_MS = 10_000;
/** Whoever sets a fault waits for it, if need be until the thread has begun on a busy machine. */
const FAULT_MS = 10_000;
/** Nobody else waits longer for an answer. */
const ANSWER_MS = 2_000;
const FILE = "delivery-thread.js";

export interface DeliveryThreadOptions extends Omit<ThreadData, "logLevel" | "clockOffsetMs"> {
  unseal: Unseal;
  log: Log;
  /** Its program, unless it is the one of the build. */
  file?: string;
}

/**
 * Sends deliveries in a thread of their own. What they cost is theirs then: a purchase does not wait while messages are
 * signed and sent.
 */
export class DeliveryThread implements Deliverer {
  readonly #log: Log;
  readonly #file: string | undefined;
  readonly #thread: KeptThread<ThreadFunctions>;
  #clockOffsetMs = 0;

  constructor({ unseal, log, file, ...given }: DeliveryThreadOptions) {
    this.#log = log;
    this.#file = file;
    const ours: OwnerFunctions = {
      // Copied: beside a small buffer there may lie others, and all would go over.
      unseal: async (sealed, place) => Uint8Array.from(await unseal(Buffer.from(sealed), place)),
      log: (line) => writeLine(log, line),
    };
    this.#thread = new KeptThread({
      name: "deliveries",
      dataNow: (): ThreadData => ({
        ...given,
        logLevel: log.level,
        clockOffsetMs: this.#clockOffsetMs,
      }),
      ours,
      failures: new FailureLog(
        log,
        "webhook-thread",
        "the thread that sends deliveries failed; another takes over",
      ),
    });
  }

  start(): void {
    this.#thread.start(this.#file ?? findFile());
  }

  get isAtWork(): boolean {
    return this.#thread.channel !== undefined;
  }

  notice(candidates: Candidate[]): void {
    this.#thread.wanted()?.tell("notice", candidates);
  }

  look(): void {
    this.#thread.wanted()?.tell("look");
  }

  async prepare(): Promise<void> {
    const there = this.#thread.wanted()?.call("isThere");
    if (there !== undefined) await within(ANSWER_MS, there).catch(() => undefined);
  }

  followClock(offsetMs: number): void {
    this.#clockOffsetMs = offsetMs;
    this.#thread.channel?.tell("followClock", offsetMs);
  }

  /** The faults that deliveries meet, if any are made here. */
  get faults(): FaultKeeper | undefined {
    // Whoever sets one waits for it: a failure is no reason to pause.
    const channel = this.#thread.wantedNow();
    return (
      channel && {
        set: (organizationId, fault) =>
          within(FAULT_MS, channel.call("setFault", organizationId, fault)),
        clear: (organizationId) => within(FAULT_MS, channel.call("clearFaults", organizationId)),
        list: (organizationId) => within(FAULT_MS, channel.call("listFaults", organizationId)),
      }
    );
  }

  /** Nothing, where nothing is delivered. */
  async metrics(): Promise<string> {
    const { channel } = this.#thread;
    if (channel === undefined) return "";
    return within(ANSWER_MS, channel.call("metrics")).catch(() => "");
  }

  async stop(): Promise<void> {
    await this.#thread.stop((channel) =>
      within(STOP_PATIENCE_MS, channel.call("stop")).catch((error: unknown) =>
        this.#log.warn(
          { err: error },
          "the thread that sends deliveries did not stop by itself; what it had in hand is sent again",
        ),
      ),
    );
  }
}

/** The build leaves it beside the service; tests run from the sources. */
function findFile(from = dirname(fileURLToPath(import.meta.url))): string {
  const found = [join(from, FILE), join(from, "dist", FILE)].find(existsSync);
  if (found !== undefined) return found;
  if (from === dirname(from)) throw new Error(`${FILE} is missing: Florin was not built.`);
  return findFile(dirname(from));
}
