import type { Answer } from "./attempt.ts";
import { Caller } from "./caller.ts";
import type { Operations } from "./generated/openapi.ts";
import type { Data, Method, OperationAt, OperationId, PathOf } from "./operation.ts";
import { type CallOptions, type FlorinOptions, readOptions } from "./options.ts";
import { Cards } from "./resources/cards.ts";
import { Customers } from "./resources/customers.ts";
import { Events } from "./resources/events.ts";
import { Kyc } from "./resources/kyc.ts";
import { Merchants } from "./resources/merchants.ts";
import { Programmes } from "./resources/programmes.ts";
import { Requests } from "./resources/requests.ts";
import { SettingsResource } from "./resources/settings.ts";
import { Simulator } from "./resources/simulator.ts";
import { Transactions } from "./resources/transactions.ts";
import { Wallets } from "./resources/wallets.ts";
import { WebhookEndpoints } from "./resources/webhook-endpoints.ts";

/** What a call by method and path may have. */
export interface RequestInput {
  params?: Record<string, string> | undefined;
  /** Strings, numbers and booleans; what is undefined is left out. */
  query?: object | undefined;
  body?: unknown;
}

/** What a call by method and path has if that is an operation that we know. */
export type TypedInput<Id extends OperationId> = (keyof Operations[Id]["params"] extends never
  ? { params?: undefined }
  : { params: Operations[Id]["params"] }) & {
  query?: Operations[Id]["query"] | undefined;
} & (undefined extends Operations[Id]["body"]
    ? { body?: Operations[Id]["body"] }
    : { body: Operations[Id]["body"] });

/** Florin's API, called as one client of one organization. */
export class Florin {
  readonly cards: Cards;
  readonly customers: Customers;
  readonly events: Events;
  readonly kyc: Kyc;
  readonly merchants: Merchants;
  readonly programmes: Programmes;
  readonly requests: Requests;
  readonly settings: SettingsResource;
  readonly simulator: Simulator;
  readonly transactions: Transactions;
  readonly wallets: Wallets;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly #caller: Caller;

  constructor(options: FlorinOptions) {
    const caller = new Caller(readOptions(options));
    this.#caller = caller;
    this.cards = new Cards(caller);
    this.customers = new Customers(caller);
    this.events = new Events(caller);
    this.kyc = new Kyc(caller);
    this.merchants = new Merchants(caller);
    this.programmes = new Programmes(caller);
    this.requests = new Requests(caller);
    this.settings = new SettingsResource(caller);
    this.simulator = new Simulator(caller);
    this.transactions = new Transactions(caller);
    this.wallets = new Wallets(caller);
    this.webhookEndpoints = new WebhookEndpoints(caller);
  }

  /**
   * Any call by method and path, such as `("POST", "/cards/{cardId}/top-up", { params, body })`. Resolves
   * to `data`, typed if the path is one of the API's, with its parameters in braces.
   */
  request<M extends Method, Path extends PathOf<M>>(
    method: M,
    path: Path,
    input: TypedInput<OperationAt<M, Path>> & CallOptions,
  ): Promise<Data<OperationAt<M, Path>>>;
  request<Path extends string>(
    method: string,
    path: Path extends PathOf<Method> ? never : Path,
    input?: RequestInput & CallOptions,
  ): Promise<unknown>;
  async request(
    method: string,
    path: string,
    input: RequestInput & CallOptions = {},
  ): Promise<unknown> {
    return (await this.send(method, path, input)).envelope.data;
  }

  /**
   * The same for whoever wants the whole answer of a call that succeeds: status, headers and envelope, with
   * its `pagination`. A refusal throws here too.
   */
  send(method: string, path: string, input: RequestInput & CallOptions = {}): Promise<Answer> {
    const { params, query, body, ...options } = input;
    return this.#caller.send(
      method.toUpperCase(),
      path,
      { ...(params === undefined ? {} : { params }), query, body },
      options,
    );
  }
}
