import {
  type BusinessSubmission,
  type CallbackHeaders,
  type CallbackReading,
  type DocumentSubmission,
  type Holder,
  type KycOutcome,
  type KycProvider,
  type NumberQuery,
  ProviderDown,
  type Submission,
} from "../../customers/port.ts";
import { neverAnswer } from "../../providers/sandbox-registry.ts";
import type { FaultBoard } from "./board.ts";

interface FaultyKycOptions {
  board: FaultBoard;
  /** How long a provider that is too slow is waited for. */
  deadlineMs: number;
}

/** Any provider, except that it fails or is too slow where that was asked for. */
export class FaultyKyc implements KycProvider {
  readonly name: string;
  readonly #provider: KycProvider;
  readonly #options: FaultyKycOptions;

  constructor(provider: KycProvider, options: FaultyKycOptions) {
    this.name = provider.name;
    this.#provider = provider;
    this.#options = options;
  }

  async verifyNumber(query: NumberQuery): Promise<Holder> {
    await this.#meet(query);
    return this.#provider.verifyNumber(query);
  }

  async submitDocument(submission: DocumentSubmission): Promise<Submission> {
    await this.#meet(submission);
    return this.#provider.submitDocument(submission);
  }

  async submitBusiness(submission: BusinessSubmission): Promise<Submission> {
    await this.#meet(submission);
    return this.#provider.submitBusiness(submission);
  }

  readOutcome(providerId: string, signal?: AbortSignal): Promise<KycOutcome> {
    return this.#provider.readOutcome(providerId, signal);
  }

  pollAfterMs(questions: number): number {
    return this.#provider.pollAfterMs(questions);
  }

  readCallback(rawBody: Buffer, headers: CallbackHeaders, now: Date): CallbackReading {
    return this.#provider.readCallback(rawBody, headers, now);
  }

  async #meet({ organizationId, signal }: Asked): Promise<void> {
    const { board, deadlineMs } = this.#options;
    if (organizationId === undefined) return;
    const fault = board.take(organizationId, ["KycDown", "KycSlow"])?.fault;
    if (fault === "KycDown") throw new ProviderDown("The simulator has taken the register down");
    if (fault === "KycSlow") await neverAnswer(deadlineMs, signal);
  }
}

type Asked = Pick<NumberQuery, "organizationId" | "signal">;
