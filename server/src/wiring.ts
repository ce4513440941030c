import type { FastifyInstance } from "fastify";
import { createApi, type FeatureDeps, featureRoutes } from "./api.ts";
import type { CustomerManaged } from "./authorization/remote/customer-managed.ts";
import { NegativeAccounts } from "./cards/closing/negative.ts";
import { FreePans } from "./cards/issuing/free-pans.ts";
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
import type { Config } from "./foundation/config/table.ts";
import type { Log } from "./foundation/log.ts";
import { TokenBuckets } from "./foundation/token-bucket.ts";
import type { Addresses } from "./http/addresses.ts";
import { AnswerLog } from "./http/answer-log.ts";
import { listenerOptions } from "./http/listener.ts";
import { Metrics } from "./http/metrics.ts";
import { Directory } from "./identity/directory.ts";
import { followKeys, openKeys } from "./identity/follow-keys.ts";
import { createIdentity } from "./identity/routes.ts";
import type { SigningKeys } from "./identity/signing-keys.ts";
import { TokenVerifier } from "./identity/tokens.ts";
import { DueLoop } from "./jobs/due-loop.ts";
import { CvvTries } from "./network/dry-run/cvv-tries.ts";
import { Gateway } from "./network/gateway/gateway.ts";
import { wireNetwork } from "./network/wiring.ts";
import { reachOf } from "./outbound/address.ts";
import { openKycProvider, SANDBOX_DEADLINE_MS } from "./providers/open.ts";
import { InFlight } from "./references/in-flight.ts";
import { FaultBoard } from "./sandbox/faults/board.ts";
import { FaultBoards } from "./sandbox/faults/boards.ts";
import { cutConnections } from "./sandbox/faults/connections.ts";
import { FaultyKyc } from "./sandbox/faults/kyc.ts";
import type { Setup } from "./setup.ts";
import { SpanExporter } from "./tracing/exporter.ts";
import { WalletIds } from "./wallets/service.ts";
import { DeliveryThread } from "./webhooks/delivery/delivery-thread.ts";
import { WebhookWorker } from "./webhooks/delivery/worker.ts";

const MAX_LIMITED_KEYS = 100_000;

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
  const signingKeys = await openKeys(core, config.tokenTtlS);
  const metrics = new Metrics();
  const reach = reachOf(config);
  const faults = new FaultBoard();
  const deliveries = new DeliveryThread({
    databaseUrl: core.databaseUrl,
    unseal: (sealed, place) => core.vault.unseal(sealed, place),
    log,
    reach,
    maxInHand: config.webhookDeliveries,
    isSandbox: config.isSandbox,
  });
  metrics.add(() => deliveries.metrics());
  const webhooks = new WebhookWorker({
    ...core,
    log,
    registry: metrics.registry,
    reach,
    deliverer: deliveries,
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
  const walletIds = new WalletIds(pool, clock);
  const kyc = wireKyc(core, config, faults, log);
  const { doorDeps, door, cardNumbers } = wireNetwork(core, {
    engine,
    reads,
    walletIds,
    programmes,
    log,
    reach,
  });
  const holdExpiry = new HoldExpiry({ ...doorDeps, log });
  const gateway = new Gateway({
    ...doorDeps,
    config,
    log,
    door,
    cardNumbers,
    peers: setup.peers,
    tls: setup.networkTls,
    registry: metrics.registry,
  });
  const features = {
    ...doorDeps,
    ...kyc,
    config,
    metrics,
    recorder,
    webhooks,
    holdExpiry,
    door,
    faults: new FaultBoards(faults, () => deliveries.faults),
    cvvTries: new CvvTries(),
    freePans: new FreePans({ reads, vault: core.vault }),
    isAccepting,
  };
  return {
    engine,
    recorder,
    reads,
    walletIds,
    negativeAccounts: new NegativeAccounts({ pool, clock, engine, walletIds, programmes }),
    holdExpiry,
    reviews: kyc.kycReviews,
    customerManaged: doorDeps.customerManaged,
    webhooks,
    gateway,
    ...wireListeners(core, setup, log, { features, signingKeys }),
  };
}

function wireKyc(core: Core, config: Config, faults: FaultBoard, log: Log) {
  const provider = openKycProvider(config, core.clock);
  const kycProvider = config.isSandbox
    ? new FaultyKyc(provider, { board: faults, deadlineMs: SANDBOX_DEADLINE_MS })
    : provider;
  const reviews = new DueLoop(kycReviews({ ...core, kycProvider, log }), log);
  // What was to happen later may be due now.
  core.feed.on("clockOffsetMs", () => reviews.wake());
  return { kycProvider, kycReviews: reviews };
}

type Features = FeatureDeps & { recorder: Engine; faults: FaultBoards };

type Listeners = Pick<
  Parts,
  "addresses" | "api" | "identity" | "dashboard" | "live" | "postOffice" | "requestLog" | "exporter"
>;

function wireListeners(
  core: Core,
  { config, tls }: Setup,
  log: Log,
  { features, signingKeys }: { features: Features; signingKeys: SigningKeys },
): Listeners {
  const { pool, clock } = core;
  const { metrics } = features;
  const addresses: Addresses = { api: "", identity: "", dashboard: "" };
  const tokens = { clock, addresses, tokenTtlS: config.tokenTtlS, signingKeys };
  const verifier = new TokenVerifier(tokens);
  followKeys(core, signingKeys, verifier, log);
  const exporter =
    config.otlpEndpoint === undefined ? undefined : new SpanExporter(config.otlpEndpoint, log);
  const requestLog = new RequestLog(pool, log, metrics.registry);
  const shared = {
    ...core,
    ...features,
    addresses,
    listener: listenerOptions(config, tls),
    directory: new Directory(pool, core.vault, core.feed),
    verifier,
    addressLimit: buckets(config.addressRateLimitRps, 10),
    clientLimit: buckets(config.rateLimitRps, 2),
    inFlight: new InFlight(),
    explain: config.isSandbox,
  };
  const api = createApi({
    ...shared,
    answers: new AnswerLog({ listener: "api", log, metrics, exporter, requestLog }),
    ...(config.isSandbox ? { losesAnswer: cutConnections(features.faults.here) } : {}),
  });
  const live = new LiveFeed(pool, log);
  const postOffice = new PostOffice(pool, config, log);
  const dashboardDeps = {
    ...shared,
    answers: new AnswerLog({ listener: "dashboard", log, metrics, exporter }),
    live,
    postOffice,
  };
  const dashboard = createDashboard(dashboardDeps, (routes) =>
    featureRoutes(routes, dashboardDeps),
  );
  const { directory, listener, addressLimit } = shared;
  const identity = createIdentity({
    ...tokens,
    directory,
    listener,
    addressLimit,
    answers: new AnswerLog({ listener: "identity", log, metrics, exporter }),
    isSandbox: config.isSandbox,
  });
  return {
    addresses,
    api: api as unknown as FastifyInstance,
    identity,
    dashboard: dashboard as unknown as FastifyInstance,
    live,
    postOffice,
    requestLog,
    exporter,
  };
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
