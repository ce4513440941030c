import type {
  ChangeWebhookEndpointBody,
  CreateWebhookEndpointBody,
  ListWebhookEndpointsQuery,
  RecoverWebhookEndpointBody,
  TestDelivery,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from "../generated/openapi.ts";
import type { List } from "../list.ts";
import type { CallOptions } from "../options.ts";
import { type ReadOptions, Resource } from "./resource.ts";

/** Where events are sent to. */
export class WebhookEndpoints extends Resource {
  /**
   * Answers with the endpoint's secret, which is shown only now. When that answer is lost, and when the call is
   * resumed, the secret is rotated: what it then answers with is the new one.
   */
  create(
    body: CreateWebhookEndpointBody,
    options?: CallOptions,
  ): Promise<WebhookEndpointWithSecret> {
    return this.call("createWebhookEndpoint", { body }, options);
  }

  list(query?: ListWebhookEndpointsQuery, options?: ReadOptions): List<WebhookEndpoint> {
    return this.listing("listWebhookEndpoints", { query }, options);
  }

  get(webhookEndpointId: string, options?: ReadOptions): Promise<WebhookEndpoint> {
    return this.call("readWebhookEndpoint", { params: { webhookEndpointId } }, options);
  }

  change(
    webhookEndpointId: string,
    body: ChangeWebhookEndpointBody,
    options?: CallOptions,
  ): Promise<WebhookEndpoint> {
    return this.call("changeWebhookEndpoint", { params: { webhookEndpointId }, body }, options);
  }

  delete(webhookEndpointId: string, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.call("deleteWebhookEndpoint", { params: { webhookEndpointId } }, options);
  }

  /** Answers with a new secret; for 24 hours the old one signs as well. */
  rotateSecret(
    webhookEndpointId: string,
    options?: CallOptions,
  ): Promise<WebhookEndpointWithSecret> {
    return this.call("rotateWebhookSecret", { params: { webhookEndpointId } }, options);
  }

  /** Sends one message to try it, and tells what came of it. */
  test(webhookEndpointId: string, options?: CallOptions): Promise<TestDelivery> {
    return this.call("testWebhookEndpoint", { params: { webhookEndpointId } }, options);
  }

  /** Sends everything since then that this endpoint has not acknowledged. */
  recover(
    webhookEndpointId: string,
    body: RecoverWebhookEndpointBody,
    options?: CallOptions,
  ): Promise<WebhookEndpoint> {
    return this.call("recoverWebhookEndpoint", { params: { webhookEndpointId }, body }, options);
  }
}
