import { maskPan } from "../../cards/pan.ts";
import { isUnavailable } from "../../db/errors.ts";
import { codes } from "../../foundation/codes.ts";
import { Complaints } from "../../foundation/complaints.ts";
import { type Log, writeInfo } from "../../foundation/log.ts";
import { decode } from "../iso8583/decode.ts";
import { describeMessage } from "../iso8583/describe.ts";
import { refusing } from "../iso8583/elements/element.ts";
import { encode } from "../iso8583/encode.ts";
import type { Message } from "../iso8583/fields.ts";
import { FormatError } from "../iso8583/format-error.ts";
import { isMti } from "../iso8583/message-types.ts";
import { FORMAT_ERROR, refusalOf } from "../iso8583/refusal.ts";
import type { GatewayDeps } from "./deps.ts";
import { dispatch, isAboutCard } from "./dispatch.ts";
import { manage, refusalOfPeer } from "./management.ts";
import type { GatewayMetrics } from "./metrics.ts";
import { Predecessors } from "./predecessors.ts";
import { answerTo, type Reply } from "./reply.ts";
import type { Session } from "./session.ts";
import { Turnstile } from "./turnstile.ts";
import { Unanswerable } from "./unanswerable.ts";

export interface ExchangeDeps extends GatewayDeps {
  engine: { readonly queued: number };
  log: Log;
  metrics: GatewayMetrics;
}

/** What comes of a message: an answer, silence, or that nothing after it can be trusted. */
export type Outcome = { answer?: Buffer } | "Unreadable";

const SILENCE: Outcome = {};

/** Turns the bytes of a message into those of its answer. */
export class Exchange {
  readonly #deps: ExchangeDeps;
  readonly #turnstile: Turnstile;
  readonly #predecessors = new Predecessors();
  readonly #complaints = new Complaints();

  constructor(deps: ExchangeDeps) {
    this.#deps = deps;
    this.#turnstile = new Turnstile(deps.engine);
  }

  /** What cannot be read is known at once, so that nothing behind it is begun. */
  take(bytes: Buffer, session: Session): Outcome | Promise<Outcome> {
    try {
      const message = decode(bytes);
      // Whoever sent it could not tell which of its messages an answer is about.
      if (message.fields[11] === undefined) refusing(message, 11)("is missing");
      return this.#answer(message, session);
    } catch (error) {
      if (error instanceof FormatError) return this.#refuse(error, session);
      throw error;
    }
  }

  async #answer(message: Message, session: Session): Promise<Outcome> {
    const startedMs = performance.now();
    let reply: Reply | undefined;
    try {
      reply = await this.#replyTo(message, session);
    } catch (error) {
      if (error instanceof FormatError) return this.#refuse(error, session);
      throw error;
    }
    const answer = reply && answerTo(message, reply);
    const ms = performance.now() - startedMs;
    this.#tell(session, message, { de39: answer?.fields[39] ?? "", ms, reply });
    return answer === undefined ? SILENCE : { answer: encode(answer) };
  }

  async #replyTo(message: Message, session: Session): Promise<Reply | undefined> {
    const { log } = this.#deps;
    const peer = session.peer.name;
    if (log.isLevelEnabled("debug")) {
      log.debug({ peer, message: describeMessage(message) }, "a card network message was received");
    }
    if (message.mti === "0800") return manage(message, session);
    // An answer, as that to an echo: nobody answers it.
    if (!isAboutCard(message)) return undefined;
    const refusal = refusalOfPeer(message, session);
    if (refusal !== undefined) return refusal;
    // Whoever waits for others does so outside, where it keeps none of them from getting in.
    return this.#predecessors.run(message, () => this.#dispatch(message, session));
  }

  async #dispatch(message: Message, session: Session): Promise<Reply | undefined> {
    const turn = this.#turnstile.enter(session);
    if (turn !== undefined) await turn;
    try {
      return await dispatch(this.#deps, message, session.peer);
    } catch (error) {
      if (error instanceof FormatError) throw error;
      return this.#replyToFailure(error, message, session.peer.name);
    } finally {
      this.#turnstile.leave();
    }
  }

  /** A database that is away would fill the log with every message. */
  #replyToFailure(error: unknown, { mti }: Message, peer: string): Reply | undefined {
    const isOutage = isUnavailable(error);
    if (!isOutage || this.#complaints.mayTell("outage")) {
      this.#deps.log.error({ err: error, peer, mti }, "a card network message failed");
    }
    if (error instanceof Unanswerable) return undefined;
    const { code } = isOutage ? codes.SERVICE_MALFUNCTION : codes.SERVICE_EXCEPTION;
    return { responseCode: code };
  }

  /** One line for each message, of fields that need neither escape nor redaction. */
  #tell(
    { peer }: Session,
    { mti, fields }: Message,
    { de39, ms, reply }: { de39: string; ms: number; reply: Reply | undefined },
  ): void {
    const { log, metrics } = this.#deps;
    metrics.observe(peer.name, mti, de39, ms);
    const id = reply?.transaction?.transactionId;
    const card = fields[2] === undefined ? "" : `,"card":"${maskPan(fields[2])}"`;
    const payment = id === undefined ? "" : `,"transactionId":"${id}"`;
    const rounded = Math.round(ms * 100) / 100;
    const what = `"peer":"${peer.name}","mti":"${mti}","de39":"${de39}","ms":${rounded}`;
    writeInfo(log, what + card + payment, de39 === "" ? "not answered" : "answered");
  }

  #refuse(error: FormatError, { peer }: Session): Outcome {
    const { log, metrics } = this.#deps;
    const answer = refusalOf(error);
    const mti = error.mti !== undefined && isMti(error.mti) ? error.mti : "other";
    metrics.observe(peer.name, mti, answer === undefined ? "" : FORMAT_ERROR, 0);
    if (this.#complaints.mayTell(peer.name)) {
      log.warn(
        { peer: peer.name, mti, fault: error.message },
        "a card network message was malformed",
      );
    }
    if (answer !== undefined) return { answer };
    // A known kind of answer that is malformed harms nobody; with anything else we are out of step.
    return mti === "other" || error.traceNumber === undefined ? "Unreadable" : SILENCE;
  }
}
