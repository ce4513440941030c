import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import type { Core } from "../../src/core.ts";
import { verdict } from "./answers.ts";
import type { ApiClient } from "./api-client.ts";
import { eventually, until } from "./eventually.ts";
import { foundOrganization, type Organization, openOperator } from "./operator.ts";
import { Receiver } from "./receiver.ts";
import { startTestService, type TestService } from "./service.ts";

export const MINUTE_S = 60;
export const HOUR_S = 60 * MINUTE_S;
export const DAY_S = 24 * HOUR_S;
/** How long after each attempt that has failed the next is made. */
export const RETRIES_S = [5, 30, 2 * MINUTE_S, 10 * MINUTE_S, HOUR_S, 6 * HOUR_S, DAY_S];

export interface CreatedEndpoint {
  webhookEndpointId: string;
  secret: string;
}

/** An organization that wants to be told what happens, with a receiver: another one for each test of a file. */
export function listenerOfEachTest(): Listener {
  const listener = new Listener();
  beforeAll(() => listener.open());
  beforeEach(() => listener.begin());
  afterEach(() => listener.receiver.goDown());
  afterAll(() => listener.close());
  return listener;
}

export class Listener {
  service!: TestService;
  operator!: Core;
  organizationId!: string;
  client!: ApiClient;
  receiver!: Receiver;

  async open(): Promise<void> {
    this.service = await startTestService();
    this.operator = await openOperator(this.service);
  }

  /** Nobody else's events, nobody else's endpoints. */
  async begin(): Promise<void> {
    Object.assign(this, await this.foundOrganization());
    this.receiver = await Receiver.open();
  }

  async close(): Promise<void> {
    await this.operator.close();
    await this.service.stop();
  }

  foundOrganization(): Promise<Organization> {
    return foundOrganization(this.operator, this.service);
  }

  async createEndpoint(body: object = {}): Promise<CreatedEndpoint> {
    const { url } = this.receiver;
    const answer = await this.client.post("/webhook-endpoints", { url, ...body });
    expect(verdict(answer)).toBe("200/000");
    return answer.body.data;
  }

  async readEndpoint({ webhookEndpointId }: CreatedEndpoint) {
    return (await this.client.get(`/webhook-endpoints/${webhookEndpointId}`)).body.data;
  }

  async changeEndpoint({ webhookEndpointId }: CreatedEndpoint, body: object): Promise<void> {
    const path = `/webhook-endpoints/${webhookEndpointId}`;
    expect(verdict(await this.client.call("PATCH", path, { body }))).toBe("200/000");
  }

  async deposit(amount = 1): Promise<void> {
    const body = { currency: "USD", amount };
    const answer = await this.client.post("/simulator/wallets/deposits", body);
    expect(verdict(answer)).toBe("200/000");
  }

  /** Moves the clock on; gives the time that it shows then. */
  async advance(seconds: number): Promise<string> {
    const answer = await this.client.post("/simulator/clock/advance", { seconds });
    expect(verdict(answer)).toBe("200/000");
    this.client.forgetToken();
    return answer.body.data.now;
  }

  async readEvent(eventId: string) {
    return (await this.client.get(`/events/${eventId}`)).body.data;
  }

  async newestEvents(limit = 100): Promise<{ eventId: string; eventType: string }[]> {
    return (await this.client.get(`/events?limit=${limit}`)).body.data;
  }

  /** Waits until so many attempts at an event are recorded. */
  async attemptsOf(eventId: string, count: number) {
    return eventually(`${count} attempts`, async () => {
      const { attempts } = await this.readEvent(eventId);
      return attempts.length >= count ? attempts : undefined;
    });
  }

  /** Lets all attempts at an event be made, as long as they fail. */
  async useUpAttempts(eventId: string): Promise<void> {
    for (const [index, delay] of RETRIES_S.entries()) {
      await this.attemptsOf(eventId, index + 1);
      await this.advance(delay);
    }
    await this.attemptsOf(eventId, RETRIES_S.length + 1);
  }

  /** Nothing more is under way: what is to come must wait for its time. */
  async untilQuiet(): Promise<void> {
    const { pool, clock } = this.operator;
    await until("nothing is under way", async () => {
      const { rows } = await pool.query(
        `select (select count(*) from webhook_deliveries where lease_until > clock_timestamp()) +
                (select count(*) from webhook_deliveries join webhook_endpoints e
                  using (organization_id, webhook_endpoint_id) where e.status = 'Enabled' and due_at <= $1) +
                (select count(*) from webhook_endpoints where status = 'Enabled' and recover_until is not null) +
                (select count(*) from event_log where position is null) as busy`,
        [clock.now()],
      );
      return rows[0].busy === 0n;
    });
  }
}
