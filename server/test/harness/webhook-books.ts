import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Statement } from "../../src/db/lane.ts";
import type { Pool } from "../../src/db/pool.ts";
import { transaction } from "../../src/db/transaction.ts";
import { tellEvents } from "../../src/engine/events.ts";
import type { AttemptResult } from "../../src/webhooks/delivery/attempt-result.ts";
import {
  type ClaimedRow,
  claimDue,
  claimFresh,
  type Room,
} from "../../src/webhooks/delivery/claim-store.ts";
import { placeEntries } from "../../src/webhooks/delivery/feed-store.ts";
import { recordAttempts } from "../../src/webhooks/delivery/result-store.ts";
import { type Books, openBooks } from "./books.ts";
import { scratchDatabase } from "./scratch.ts";

export const NOW = new Date("2026-01-31T12:00:00.000Z");
export const LATER = new Date("2026-02-28T12:00:00.000Z");
export const ENDPOINT = "whe_1";

/** Of an attempt that was not acknowledged. */
export const failure = { httpStatus: 500, isAcknowledged: false };

/** A database with an organization's endpoints, events and deliveries in it, and nothing that runs. */
export class WebhookBooks {
  readonly #books: Books;
  organizationId = "";

  private constructor(books: Books) {
    this.#books = books;
  }

  static async open(): Promise<WebhookBooks> {
    const books = new WebhookBooks(openBooks(await scratchDatabase()));
    await books.begin();
    return books;
  }

  close(): Promise<void> {
    return this.#books.close();
  }

  get url(): string {
    return this.#books.url;
  }

  get pool(): Pool {
    return this.#books.pool;
  }

  /** Begins anew, with another organization. */
  async begin(): Promise<void> {
    await this.pool.query(
      "truncate webhook_deliveries, webhook_attempts, webhook_endpoints, event_log, events",
    );
    this.organizationId = await this.openOrganization();
  }

  openOrganization(): Promise<string> {
    return this.#books.openOrganization();
  }

  async run<Row>({ text, values = [] }: Statement): Promise<Row[]> {
    return (await this.pool.query(text, values)).rows as Row[];
  }

  async openEndpoint(id = ENDPOINT, eventTypes: string[] = []): Promise<void> {
    await this.pool.query(
      `insert into webhook_endpoints
         (organization_id, webhook_endpoint_id, url, event_types, status, secret_sealed, position, created_at)
       values ($1, $2, 'https://hooks.example.com', $3, 'Enabled', '', 0, $4)`,
      [this.organizationId, id, eventTypes, NOW],
    );
  }

  /** Commits events together, without giving them positions. */
  async writeEvents(count: number, eventType = "wallet.deposited"): Promise<void> {
    const { organizationId } = this;
    const event = (_: unknown, n: number) => ({ organizationId, eventType, data: { n } });
    const events = Array.from({ length: count }, event);
    await transaction(this.pool, (tx) => tellEvents(tx, events, NOW));
  }

  /** Commits events together, ready to be delivered. */
  async emit(count: number, eventType?: string): Promise<void> {
    await this.writeEvents(count, eventType);
    await this.run(placeEntries(0n));
  }

  rooms(room: number, webhookEndpointId = ENDPOINT): Room[] {
    return [{ organizationId: this.organizationId, webhookEndpointId, room }];
  }

  takeFresh(room: number, workerId = 1, endpoint = ENDPOINT): Promise<ClaimedRow[]> {
    return this.run(claimFresh(this.rooms(room, endpoint), workerId, NOW));
  }

  takeDue(room: number, at = NOW, workerId = 2): Promise<ClaimedRow[]> {
    return this.run(claimDue(this.rooms(room), workerId, at));
  }

  /** The result of an attempt that was acknowledged, unless it is said to differ. */
  resultOf(row: ClaimedRow, change: Partial<AttemptResult> = {}): AttemptResult {
    return {
      organizationId: this.organizationId,
      webhookEndpointId: row.webhookEndpointId,
      eventId: row.eventId,
      attempts: row.attempts,
      at: NOW,
      httpStatus: 200,
      error: null,
      durationMs: 1.5,
      isAcknowledged: true,
      nextAt: LATER,
      ...change,
    };
  }

  async record(...results: AttemptResult[]): Promise<void> {
    for (const statement of recordAttempts(results, NOW)) await this.run(statement);
  }

  /** As if the workers that have deliveries had died. */
  async endLeases(): Promise<void> {
    await this.pool.query("update webhook_deliveries set lease_until = clock_timestamp()");
  }

  async deliveries() {
    const { rows } = await this.pool.query(
      `select event_id as "eventId", attempts, due_at as "dueAt", lease_until is not null as leased
         from webhook_deliveries order by event_id`,
    );
    return rows;
  }
}

/** Opens books before the tests of a file, begins anew before each of them, and closes them at the end. */
export function webhookBooks(opened: (books: WebhookBooks) => void): void {
  let books: WebhookBooks;
  beforeAll(async () => {
    books = await WebhookBooks.open();
    opened(books);
  });
  beforeEach(() => books.begin());
  afterAll(() => books.close());
}
