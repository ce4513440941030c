import type { Candidate } from "./delivery.ts";

/** What sends deliveries, as those see it who tell it that there are some. */
export interface Deliverer {
  start(): void;
  /** Whether it sees by itself what has come due. If not, it does so from when it is first told of something. */
  readonly isAtWork: boolean;
  /** Waits a moment for what is under way; a database that does not answer is not waited for. */
  stop(): Promise<void>;
  /** These endpoints have new events. */
  notice(candidates: Candidate[]): void;
  /** Something has changed that deliveries follow from. */
  look(): void;
  /** Resolves when what comes now is sent at once; if that takes long, a little before. */
  prepare(): Promise<void>;
  /** What was to be tried later may be due now. */
  followClock(offsetMs: number): void;
}
