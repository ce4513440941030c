import type { FastifyInstance } from "fastify";
import { createApi, featureRoutes } from "./api.ts";
import { CustomerManaged } from "./authorization/remote/customer-managed.ts";
import { CardBook } from "./cards/card-book.ts";
import { NegativeAccounts } from "./cards/closing/negative.ts";
import { HoldExpiry } from "./clearing/expiry.ts";
import type { Core } from "./core.ts";
import type { Review } from "./customers/review-store.ts";
import { kycReviews } from "./customers/reviews.ts";
import { createDashboard } from "./dashboard/dashboard.ts";
import { LiveFeed } from "./dashboard/live/live-feed.ts";
import { PostOffice } from "./dashboard/mail/post-office.ts";
import { RequestLog } from "./dashboard/requests/request-log.ts";
import { Reads } from "./db/reads.ts";
import { Engine, type EngineOptions } from "./engine/engine.ts";
import { FailureLog } from "./foundation/failure-log.ts";
import type { Log } from "./foundation/log.ts";
import { TokenBuckets } from "./foundation/token-bucket.ts";
import type { Addresses } from "./http/addresses.ts";
import { AnswerLog } from "./http/answer-log.ts";
import { listenerOptions } from "./http/listener.ts";
import { Metrics } from "./http/metrics.ts";
import { Directory } from "./identity/directory.ts";
import { createIdentity } from "./identity/routes.ts";
import { ensureSigningKey, SigningKeys } from "./identity/signing-keys.ts";
import { TokenVerifier } from "./identity/tokens.ts";
import { DueLoop } from "./jobs/due-loop.ts";
import { CardNumbers } from "./network/card-numbers.ts";
import { openDoor } from "./network/door.ts";
import { Gateway } from "./network/gateway/gateway.ts";
import { openKycProvider, SANDBOX_DEADLINE_MS } from "./providers/open.ts";
import { InFlight } from "./references/in-flight.ts";
import { FaultBoard } from "./sandbox/faults/board.ts";
import { cutConnections } from "./sandbox/faults/connections.ts";
import { FaultyDeliveries } from "./sandbox/faults/deliveries.ts";
import { FaultyKyc } from "./sandbox/faults/kyc.ts";
import type { Setup } from "./setup.ts";
import { SpanExporter } from "./tracing/exporter.ts";
import { WalletIds } from "./wallets/service.ts";
import { WebhookWorker } from "./webhooks/delivery/worker.ts";

const MAX_LIMITED_KEYS = 100_000;
const KEY_RETRY_MS = 1_000;

/** The parts of the service, connected and not yet started. */
export interface Parts {
  /** Filled in when the listeners are up. */
  addresses: Addresses;
  engine: Engine;
  recorder: Engine;
  reads: Reads;
  walletIds: WalletIds;
  /** What becomes of card balances that stay below zero. */
  negativeAccounts: NegativeAccounts;
  /** Gives back holds that nobody claimed in time. */
  holdExpiry: HoldExpiry;
  /** Carries on what is examined elsewhere, once it is started. */
  reviews: DueLoop<Review>;
  /** Lets organizations decide their own authorizations. */
  customerManaged: CustomerManaged;
  /** Tells of events, once it is started. */
  webhooks: WebhookWorker;
  /** Where card networks connect, once it is started. */
  gateway: Gateway;
  api: FastifyInstance;
  identity: FastifyInstance;
  dashboard: FastifyInstance;
  /** Tells browsers what happens, once it is started. */
  live: LiveFeed;
  postOffice: PostOffice;
  requestLog: RequestLog;
  /** Where traces go, if a collector is configured. */
  exporter: SpanExporter | undefined;
}

export async function wire(
  core: Core,
  setup: Setup,
  log: Log,
  isAccepting: () => boolean,
): Promise<Parts> {
  const { config, programmes } = setup;
  const { pool, clock } = core;
  const addresses: Addresses = { api: "", identity: "", dashboard: "" };
  const metrics = new Metrics();
  const reach = config.isSandbox ? "PrivateToo" : "PublicOnly";
  const faults = new FaultBoard();
  const webhooks = new WebhookWorker({
    ...core,
    log,
    registry: metrics.registry,
    reach,
    maxInHand: config.webhookDeliveries,
    ...(config.isSandbox ? { faults: new FaultyDeliveries(faults).meet } : {}),
  });
  const engine = openEngine(
    core,
    metrics,
    { name: "engine", durable: true, lanes: config.engineLanes },
    // An event that was just committed is told at once.
    () => webhooks.relay.nudge(),
  );
  const recorder = openEngine(core, metrics, { name: "recorder", durable: false, lanes: 1 });
  const reads = new Reads(core.databaseUrl);
  const tokens = {
    clock,
    addresses,
    tokenTtlS: config.tokenTtlS,
    signingKeys: await openKeys(core, config.tokenTtlS),
  };
  const verifier = new TokenVerifier(tokens);
  followKeys(core, tokens.signingKeys, verifier, log);

  const directory = new Directory(pool, core.vault, core.feed);
  const walletIds = new WalletIds(pool, clock);
  const negativeAccounts = new NegativeAccounts({ pool, clock, engine, walletIds, programmes });
  const cardBook = new CardBook(reads);
  const provider = openKycProvider(config, clock);
  const kycProvider = config.isSandbox
    ? new FaultyKyc(provider, { board: faults, deadlineMs: SANDBOX_DEADLINE_MS })
    : provider;
  const reviews = new DueLoop(kycReviews({ ...core, kycProvider, log }), log);
  // What was to happen later may be due now.
  core.feed.on("clockOffsetMs", () => reviews.wake());
  const customerManaged = new CustomerManaged({ ...core, engine, log, reach });
  const doorDeps = { ...core, engine, reads, cardBook, walletIds, programmes, customerManaged };
  const holdExpiry = new HoldExpiry({ ...doorDeps, log });
  const door = openDoor(doorDeps);
  const gateway = new Gateway({
    ...doorDeps,
    config,
    log,
    door,
    cardNumbers: new CardNumbers(doorDeps),
    peers: setup.peers,
    tls: setup.networkTls,
    registry: metrics.registry,
  });
  const listener = listenerOptions(config, setup.tls);
  const exporter =
    config.otlpEndpoint === undefined ? undefined : new SpanExporter(config.otlpEndpoint, log);
  const addressLimit = buckets(config.addressRateLimitRps, 10);
  const requestLog = new RequestLog(pool, log, metrics.registry);
  const apiDeps = {
    ...core,
    config,
    metrics,
    answers: new AnswerLog({ listener: "api", log, metrics, exporter, requestLog }),
    addresses,
    listener,
    engine,
    recorder,
    reads,
    directory,
    verifier,
    walletIds,
    kycProvider,
    kycReviews: reviews,
    webhooks,
    cardBook,
    customerManaged,
    holdExpiry,
    door,
    programmes,
    addressLimit,
    clientLimit: buckets(config.rateLimitRps, 2),
    inFlight: new InFlight(),
    explain: config.isSandbox,
    faults,
    ...(config.isSandbox ? { losesAnswer: cutConnections(faults) } : {}),
    isAccepting,
  };
  const api = createApi(apiDeps) as unknown as FastifyInstance;
  const live = new LiveFeed(pool, log);
  const postOffice = new PostOffice(pool, config, log);
  const { losesAnswer: _, ...kept } = apiDeps;
  const dashboardDeps = {
    ...kept,
    answers: new AnswerLog({ listener: "dashboard", log, metrics, exporter }),
    live,
    postOffice,
  };
  const dashboard = createDashboard(dashboardDeps, (routes) =>
    featureRoutes(routes, dashboardDeps),
  ) as unknown as FastifyInstance;
  const identity = createIdentity({
    ...tokens,
    directory,
    listener,
    addressLimit,
    answers: new AnswerLog({ listener: "identity", log, metrics, exporter }),
    isSandbox: config.isSandbox,
  });
  return {
    exporter,
    addresses,
    engine,
    recorder,
    reads,
    walletIds,
    negativeAccounts,
    holdExpiry,
    reviews,
    customerManaged,
    webhooks,
    gateway,
    api,
    identity,
    dashboard,
    live,
    postOffice,
    requestLog,
  };
}

async function openKeys({ pool, vault, clock }: Core, tokenTtlS: number): Promise<SigningKeys> {
  await ensureSigningKey(pool, vault, clock);
  const signingKeys = new SigningKeys({ pool, vault, clock, tokenTtlS });
  await signingKeys.reload();
  return signingKeys;
}

function followKeys(
  { feed, vault }: Core,
  signingKeys: SigningKeys,
  verifier: TokenVerifier,
  log: Log,
): void {
  const failures = new FailureLog(log, "keys", "changed keys could not be read yet");
  const reload = async (): Promise<void> => {
    await Promise.all([vault.reload(), signingKeys.reload()]);
    verifier.forget();
    failures.worked();
  };
  feed.on("keysVersion", () => {
    // Until it succeeds: a process that misses a rotation would sign with a key that others forget.
    const attempt = (): Promise<void> =>
      reload().catch((error: unknown) => {
        failures.failed(error);
        setTimeout(attempt, KEY_RETRY_MS).unref();
      });
    void attempt();
  });
}

function openEngine(
  { databaseUrl, clock }: Core,
  metrics: Metrics,
  options: Pick<EngineOptions, "name" | "durable" | "lanes">,
  onCommit: () => void = () => undefined,
): Engine {
  const engine = new Engine({
    ...options,
    clock,
    connectionString: databaseUrl,
    onBatch: (size, durationMs) => {
      onCommit();
      metrics.observeBatch(options.name, size, durationMs);
    },
  });
  metrics.watchQueue(options.name, () => engine.queued);
  return engine;
}

function buckets(ratePerS: number, burstFactor: number): TokenBuckets {
  return new TokenBuckets({
    ratePerS,
    burst: ratePerS * burstFactor,
    maxKeys: MAX_LIMITED_KEYS,
    nowMs: () => performance.now(),
  });
}
