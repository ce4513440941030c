import type { Pool } from "../../db/pool.ts";
import type { SharedStateFeed } from "../../db/shared-state.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Log } from "../../foundation/log.ts";
import { DueLoop } from "../../jobs/due-loop.ts";
import type { Vault } from "../../keys/vault.ts";
import type { Reach } from "../../outbound/address.ts";
import { GuardedAgent } from "../../outbound/agent.ts";
import { SettingsBook } from "../settings/settings-book.ts";
import { adviceDelivery } from "./advice-delivery.ts";
import type { AdviceTurn } from "./advice-store.ts";
import { closeQuestion } from "./close-question.ts";
import { Lines } from "./lines.ts";
import { findAbandoned } from "./question-table.ts";
import { Turns } from "./turns.ts";

const ADVICE_CONNECTIONS = 8;
/** Longer than a question can take, with its late answer and its commit. */
const ABANDONED_MS = 30_000;
const MAX_ABANDONED = 100;

export interface CustomerManagedOptions {
  pool: Pool;
  clock: Clock;
  vault: Vault;
  feed: SharedStateFeed;
  engine: Engine;
  log: Log;
  reach: Reach;
}

/** All that it takes to let organizations decide their own authorizations. */
export class CustomerManaged {
  readonly settings: SettingsBook;
  readonly lines: Lines;
  /** Makes a repeated message wait for the first one. */
  readonly turns = new Turns();
  /** Tells organizations what became of the payments they decided, once it is started. */
  readonly advices: DueLoop<AdviceTurn>;
  readonly log: Log;
  readonly #options: CustomerManagedOptions;
  readonly #agent: GuardedAgent;
  readonly #afterwards = new Set<Promise<void>>();
  #isStopping = false;

  constructor(options: CustomerManagedOptions) {
    const { reach, log, feed } = options;
    this.#options = options;
    this.log = log;
    this.settings = new SettingsBook(options);
    this.lines = new Lines({ reach });
    this.#agent = new GuardedAgent({ reach, connectionsPerPool: ADVICE_CONNECTIONS });
    const { settings } = this;
    this.advices = new DueLoop(adviceDelivery({ ...options, settings, agent: this.#agent }), log);
    // What was to be tried later may be due now.
    feed.on("clockOffsetMs", () => this.advices.wake());
  }

  /** What is wrong with an address, as far as can be told before it is called. */
  readonly problemOfUrl = (url: string): Promise<string | undefined> => this.#agent.problemOf(url);

  /** Opens connections to an organization that will be asked, before it is. */
  async warm(organizationId: string): Promise<void> {
    const { managed } = await this.settings.find(organizationId);
    if (managed !== undefined) this.lines.warm(organizationId, managed);
  }

  /** Keeps what is done after a decision, so that a stop can wait for it. */
  follow(work: Promise<void>): void {
    const followed = work
      .catch((error: unknown) =>
        this.log.warn({ err: error }, "a late answer to an authorization could not be recorded"),
      )
      .finally(() => this.#afterwards.delete(followed));
    this.#afterwards.add(followed);
  }

  /** Takes back what an organization may have approved without any process living to hear or record it. */
  async closeAbandonedQuestions(): Promise<void> {
    const { pool, engine } = this.#options;
    const limit = MAX_ABANDONED;
    for (let found = limit; found === limit && !this.#isStopping; ) {
      const abandoned = await findAbandoned(pool, { olderThanMs: ABANDONED_MS, limit });
      await Promise.all(
        abandoned.map(({ organizationId, ...question }) =>
          engine.run(closeQuestion, organizationId, { question, sendsReversal: true }),
        ),
      );
      found = abandoned.length;
      if (found > 0) this.advices.wake();
    }
  }

  start(): void {
    this.advices.start();
  }

  /** Waits for late answers, whose wait is short. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#afterwards);
    this.lines.close();
    // An answer to an advice may be long in coming; what was not answered is sent again.
    await Promise.all([this.advices.stop(), this.#agent.stop()]);
  }
}
