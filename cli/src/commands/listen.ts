import { setMaxListeners } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { Event } from "@florin/sdk";
import type { Command } from "commander";
import type { Session } from "../session.ts";
import { followEvents } from "../webhook/follow.ts";
import { signMessage } from "../webhook/message.ts";
import { type Delivery, isAccepted, post } from "../webhook/post.ts";
import { SECRET_HELP, signingKey } from "../webhook/secret.ts";
import { run } from "./action.ts";
import { eventPatterns, isWanted } from "./event-types.ts";
import { httpUrl, wholeNumber } from "./options.ts";
import { eventLine } from "./present.ts";

interface Options {
  forwardTo?: string;
  secret?: string;
  events?: string[];
  from?: string;
  count?: number;
  retries: number;
}

const FIRST_PAUSE_MS = 500;
const MAX_IN_FLIGHT = 16;

export function addListen(program: Command): void {
  const command = program
    .command("listen")
    .description("Show events as they happen, and forward them to a receiver of yours")
    .option(
      "--forward-to <url>",
      "post each event there, signed as a webhook; no public address is needed",
      httpUrl,
    )
    .option("--secret <secret>", SECRET_HELP)
    .option("--events <types>", "only these, such as card.issued,transaction.*", eventPatterns)
    .option("--from <time>", "begin with what has happened since then")
    .option("--count <count>", "end after so many events", wholeNumber(1, 1_000_000))
    .option(
      "--retries <count>",
      "how often a delivery that fails is tried again",
      wholeNumber(0, 20),
      5,
    );
  run<Options>(command, async (session, _args, options) => {
    const ending = new AbortController();
    // Node takes more than ten deliveries that wait for one signal for a leak, and says so.
    setMaxListeners(0, ending.signal);
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => ending.abort());
    const forwarder = forwarderOf(session, options, ending.signal);
    await session.florin.wallets.list(); // Says now, not at the first event, if something is wrong.
    greet(session, options);
    const feed = followEvents(session.florin, {
      ...(options.from === undefined ? {} : { from: options.from }),
      signal: ending.signal,
      onTrouble: (isOver) => tellTrouble(session, isOver),
    });
    let shown = 0;
    for await (const event of feed) {
      if (!isWanted(event.eventType, options.events)) continue;
      const { terminal, isJson } = session;
      terminal.print(isJson ? JSON.stringify(event) : eventLine(terminal, event));
      await forwarder?.take(event);
      shown += 1;
      if (shown === options.count) break;
    }
    await forwarder?.finish();
  });
}

function greet({ terminal, profile }: Session, { forwardTo }: Options): void {
  const where = forwardTo === undefined ? "" : `, forwarding to ${forwardTo}`;
  terminal.say(terminal.style("dim", `Listening to ${profile.apiUrl}${where}. Ctrl-C ends it.`));
}

function tellTrouble({ terminal }: Session, isOver: boolean): void {
  const words = isOver
    ? "The service answers again."
    : "The service does not answer; still trying.";
  terminal.say(terminal.style("yellow", words));
}

function forwarderOf(
  session: Session,
  options: Options,
  signal: AbortSignal,
): Forwarder | undefined {
  const { forwardTo, retries } = options;
  if (forwardTo === undefined) return undefined;
  const key = signingKey(session, options.secret);
  return new Forwarder(session, { url: forwardTo, key, retries, signal });
}

/** Posts events as the service itself would, several at a time, each until it is accepted or given up. */
class Forwarder {
  readonly #session: Session;
  readonly #target: { url: string; key: Buffer; retries: number; signal: AbortSignal };
  readonly #inFlight = new Set<Promise<void>>();

  constructor(
    session: Session,
    target: { url: string; key: Buffer; retries: number; signal: AbortSignal },
  ) {
    this.#session = session;
    this.#target = target;
  }

  /** Begins with an event; waits only if too much is on its way already. */
  async take(event: Event): Promise<void> {
    const sending: Promise<void> = this.#deliver(event).finally(() =>
      this.#inFlight.delete(sending),
    );
    this.#inFlight.add(sending);
    if (this.#inFlight.size >= MAX_IN_FLIGHT) await Promise.race(this.#inFlight);
  }

  async finish(): Promise<void> {
    await Promise.all(this.#inFlight);
  }

  async #deliver(event: Event): Promise<void> {
    const { url, key, retries, signal } = this.#target;
    const body = JSON.stringify(event);
    for (let attempt = 0; ; attempt++) {
      const delivery = await post(url, signMessage(key, event.eventId, body));
      const isLast = isAccepted(delivery) || attempt === retries || signal.aborted;
      const pauseMs = FIRST_PAUSE_MS * 2 ** attempt;
      this.#tell(event, delivery, isLast ? undefined : pauseMs);
      if (isLast) return;
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  #tell({ eventId }: Event, delivery: Delivery, retryInMs: number | undefined): void {
    const { terminal } = this.#session;
    const { status, error, durationMs } = delivery;
    const answer = error ?? `${status}`;
    const shown = terminal.style(isAccepted(delivery) ? "green" : "red", answer);
    const next = isAccepted(delivery)
      ? ""
      : retryInMs === undefined
        ? ", given up"
        : `, again in ${retryInMs / 1000} s`;
    terminal.say(`  → ${eventId}  ${shown} in ${Math.round(durationMs)} ms${next}`);
  }
}
