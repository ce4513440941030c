import { createHash } from "node:crypto";
import {
  choice,
  flag,
  integer,
  type Key,
  mailbox,
  networks,
  origin,
  ownOrigin,
  postgresUrl,
  secret,
  smtpUrl,
  some,
  text,
} from "./keys.ts";

/** Public by intent: it protects a sandbox's play money, and production refuses it. */
export const SANDBOX_MASTER_KEY = `sandbox:${createHash("sha256")
  .update("florin sandbox master key")
  .digest("base64")}`;

/** What a process may be there for. */
const roles = ["api", "identity", "dashboard", "network", "worker"] as const;

/** Every key that Florin reads from its environment. docs/configuration.md is made from this table. */
export const configKeys = {
  env: choice("FLORIN_ENV", ["sandbox", "production"], {
    fallback: "sandbox",
    doc: "`sandbox` brings the simulator, the sandbox identity registry and a seeded organization; `production` has none of the three and insists on real keys and https addresses.",
  }),
  roles: some("FLORIN_ROLES", roles, {
    fallback: roles,
    shown: "all of them",
    doc: "What this process does, separated by commas: `api`, `identity` and `dashboard` are its listeners, `network` the card network gateway, `worker` all that happens in the background. Some process must be the worker.",
  }),
  host: text("FLORIN_HOST", {
    fallback: "127.0.0.1",
    doc: "Address that the listeners bind. A sandbox stays on loopback unless `FLORIN_ALLOW_PUBLIC_SANDBOX=1`.",
  }),
  allowPublicSandbox: flag("FLORIN_ALLOW_PUBLIC_SANDBOX", {
    fallback: false,
    doc: "Lets a sandbox bind an address other than loopback. Anyone who reaches it can create money in it.",
  }),
  apiPort: integer("FLORIN_API_PORT", 0, 65_535, {
    fallback: 4000,
    doc: "Port of the API. 0 takes a free one.",
  }),
  apiUrl: origin("FLORIN_API_URL", {
    fallback: undefined,
    shown: "http://127.0.0.1:4000",
    doc: "Public address of the API, as clients sign it; its host and port unless given. Behind a proxy it differs from host and port, and may have a path that the proxy takes away.",
  }),
  identityPort: integer("FLORIN_IDENTITY_PORT", 0, 65_535, {
    fallback: 4001,
    doc: "Port of the identity server. 0 takes a free one.",
  }),
  identityUrl: origin("FLORIN_IDENTITY_URL", {
    fallback: undefined,
    shown: "http://127.0.0.1:4001",
    doc: "Public address of the identity server, and the issuer of its tokens; its host and port unless given.",
  }),
  dashboardPort: integer("FLORIN_DASHBOARD_PORT", 0, 65_535, {
    fallback: 4002,
    doc: "Port of the dashboard. 0 takes a free one.",
  }),
  dashboardUrl: ownOrigin("FLORIN_DASHBOARD_URL", {
    fallback: undefined,
    shown: "http://127.0.0.1:4002",
    doc: "Public address of the dashboard, as links in e-mails have it; its host and port unless given. Without a path: it needs a host or port of its own.",
  }),
  sessionIdleS: integer("FLORIN_SESSION_IDLE_S", 60, 86_400, {
    fallback: 1800,
    doc: "Seconds without a request after which a session of the dashboard ends.",
  }),
  sessionMaxS: integer("FLORIN_SESSION_MAX_S", 300, 2_592_000, {
    fallback: 43_200,
    doc: "Seconds after which a session of the dashboard ends, however busy it is.",
  }),
  smtpUrl: smtpUrl("FLORIN_SMTP_URL", {
    fallback: undefined,
    doc: "Mail server for the dashboard's e-mails, as `smtps://user:password@host:465` or `smtp://host:587`. One that is not on this machine must offer TLS, unless the address ends with `?requireTLS=false`. Unset: a sandbox shows them in its mailbox, and in production nobody can sign up, be invited by e-mail or replace a forgotten password.",
  }),
  mailSender: mailbox("FLORIN_MAIL_SENDER", {
    fallback: "Florin <no-reply@florin.invalid>",
    doc: "Sender of these e-mails. Production with a mail server needs its own.",
  }),
  signUp: flag("FLORIN_SIGN_UP", {
    fallback: undefined,
    shown: "in a sandbox",
    doc: "Whether strangers may found organizations in the dashboard: `1` or `0`. Whoever is invited comes in, whatever it is.",
  }),
  networkPort: integer("FLORIN_NETWORK_PORT", 0, 65_535, {
    fallback: 4003,
    doc: "Port of the card network gateway (ISO 8583 over TCP). 0 takes a free one. In production it is opened only for the peers of `FLORIN_NETWORK_PEERS_FILE`.",
  }),
  networkPeersFile: text("FLORIN_NETWORK_PEERS_FILE", {
    fallback: undefined,
    shown: "in a sandbox, loopback",
    doc: "JSON file with the peers that may send card network messages: see the guide to the card network.",
  }),
  networkTlsCertFile: text("FLORIN_NETWORK_TLS_CERT_FILE", {
    fallback: undefined,
    doc: "Certificate chain (PEM) of the card network gateway. With it, connections are encrypted and peers show certificates.",
  }),
  networkTlsKeyFile: text("FLORIN_NETWORK_TLS_KEY_FILE", {
    fallback: undefined,
    doc: "Private key (PEM) of the card network gateway.",
  }),
  networkEchoS: integer("FLORIN_NETWORK_ECHO_S", 0, 3_600, {
    fallback: 60,
    doc: "Seconds of silence after which a peer of the card network is sent an echo request; after as many again it is disconnected. 0 = never.",
  }),
  sandboxKycDelayMs: integer("FLORIN_SANDBOX_KYC_DELAY_MS", 0, 86_400_000, {
    fallback: 5000,
    doc: "How long the sandbox takes to decide the verification of a document or a business.",
  }),
  kycProvider: choice("FLORIN_KYC_PROVIDER", ["sandbox", "sumsub"], {
    fallback: "sandbox",
    doc: "Who verifies people and businesses. `sandbox` is a registry of invented people, for a sandbox only; production needs `sumsub`.",
  }),
  sumsubBaseUrl: origin("FLORIN_SUMSUB_BASE_URL", {
    fallback: undefined,
    doc: "Address of Sumsub's API, such as `https://api.sumsub.com`. Needed, with all other `FLORIN_SUMSUB_` keys, where Sumsub is the provider.",
  }),
  sumsubAppToken: secret("FLORIN_SUMSUB_APP_TOKEN", {
    fallback: undefined,
    doc: "Sumsub's app token.",
  }),
  sumsubSecretKey: secret("FLORIN_SUMSUB_SECRET_KEY", {
    fallback: undefined,
    doc: "The secret key that belongs to the app token.",
  }),
  sumsubWebhookSecret: secret("FLORIN_SUMSUB_WEBHOOK_SECRET", {
    fallback: undefined,
    doc: "Signs Sumsub's call-backs to `/callbacks/kyc/sumsub`.",
  }),
  sumsubNumberLevel: text("FLORIN_SUMSUB_NUMBER_LEVEL", {
    fallback: undefined,
    doc: "Level of the Sumsub account that looks up BVN, NIN and vNIN.",
  }),
  sumsubDocumentLevel: text("FLORIN_SUMSUB_DOCUMENT_LEVEL", {
    fallback: undefined,
    doc: "Level that examines an identity document, without a selfie.",
  }),
  sumsubBusinessLevel: text("FLORIN_SUMSUB_BUSINESS_LEVEL", {
    fallback: undefined,
    doc: "Level that examines a business by name, registration number and address.",
  }),
  dataDir: text("FLORIN_DATA_DIR", {
    fallback: ".florin",
    doc: "Where the embedded PostgreSQL and `sandbox.json` live. Relative to the directory Florin is started in.",
  }),
  databaseUrl: postgresUrl("FLORIN_DATABASE_URL", {
    fallback: undefined,
    shown: "embedded PostgreSQL",
    doc: "PostgreSQL 15 to 18 to use, as `postgres://user:password@host:port/database`, with one host. Unset: an embedded one is started and stopped with Florin.",
  }),
  databasePoolerUrl: postgresUrl("FLORIN_DATABASE_POOLER_URL", {
    fallback: undefined,
    doc: "A pooler before that PostgreSQL, such as PgBouncer in transaction mode, for the connections that keep nothing between two transactions: those that `FLORIN_DATABASE_POOL_SIZE` counts. The others go to `FLORIN_DATABASE_URL`, which leads past the pooler.",
  }),
  databasePoolSize: integer("FLORIN_DATABASE_POOL_SIZE", 2, 200, {
    fallback: 10,
    doc: "Connections for reads and settings, besides those of the engine.",
  }),
  engineLanes: integer("FLORIN_ENGINE_LANES", 1, 16, {
    fallback: 2,
    doc: "Batches of money operations that may be under way at once; each has a connection of its own. One beside another begins when it is large enough to be worth it, or after 25 ms.",
  }),
  webhookDeliveries: integer("FLORIN_WEBHOOK_DELIVERIES", 8, 10_000, {
    fallback: 512,
    doc: "Webhook deliveries that one process has in hand at once, until what came of them is recorded or cannot be: if it dies, these at most are sent again. An endpoint gets up to 32 connections, fewer when it is slow; an organization three quarters of all.",
  }),
  programmesFile: text("FLORIN_PROGRAMMES_FILE", {
    fallback: undefined,
    shown: "USD and NGN programmes",
    doc: "JSON file with the card programmes of this installation: see the guide to operating. Its entries replace the default ones.",
  }),
  masterKey: secret("FLORIN_MASTER_KEY", {
    fallback: SANDBOX_MASTER_KEY,
    shown: "a public sandbox key",
    doc: "Wraps every data key: 32 random bytes in Base64, or `id:base64`. Several, separated by commas, while one replaces another: the first is current. Production needs its own.",
  }),
  tokenTtlS: integer("FLORIN_TOKEN_TTL_S", 1, 86_400, {
    fallback: 3600,
    doc: "Lifetime of access tokens, in seconds.",
  }),
  rateLimitRps: integer("FLORIN_RATE_LIMIT_RPS", 0, 1_000_000, {
    fallback: 100,
    doc: "Requests per second and client, with bursts of twice as many, counted in each process. 0 = no limit.",
  }),
  addressRateLimitRps: integer("FLORIN_ADDRESS_RATE_LIMIT_RPS", 0, 1_000_000, {
    fallback: 100,
    doc: "Requests per second and address that are not, or not yet, authenticated, with bursts of ten times as many. 0 = no limit.",
  }),
  tlsCertFile: text("FLORIN_TLS_CERT_FILE", {
    fallback: undefined,
    doc: "Certificate chain (PEM) for the listeners.",
  }),
  tlsKeyFile: text("FLORIN_TLS_KEY_FILE", {
    fallback: undefined,
    doc: "Private key (PEM) for the listeners.",
  }),
  trustProxy: networks("FLORIN_TRUST_PROXY", {
    fallback: undefined,
    doc: "Proxies that terminate TLS and whose `X-Forwarded-For` is believed: addresses or networks, separated by commas.",
  }),
  metricsToken: secret("FLORIN_METRICS_TOKEN", {
    fallback: undefined,
    doc: "Bearer token for `/metrics` in production. Without it only loopback may read them there.",
  }),
  logLevel: choice(
    "FLORIN_LOG_LEVEL",
    ["fatal", "error", "warn", "info", "debug", "trace", "silent"],
    {
      fallback: "info",
      doc: "Lowest level that is logged: `fatal`, `error`, `warn`, `info`, `debug` or `trace`; `silent` logs nothing.",
    },
  ),
  otlpEndpoint: origin("OTEL_EXPORTER_OTLP_ENDPOINT", {
    fallback: undefined,
    doc: "OpenTelemetry collector (OTLP over HTTP) that receives traces. Unset: no tracing.",
  }),
} as const;

type ValueOf<K> = K extends Key<infer T> ? T : never;
type Values = { -readonly [name in keyof typeof configKeys]: ValueOf<(typeof configKeys)[name]> };

export interface Config extends Values {
  isSandbox: boolean;
}
