import { authorizationSettingsRoutes } from "./authorization/settings/routes.ts";
import type { AuthorizationSettingsDeps } from "./authorization/settings/service.ts";
import { chargeRoutes } from "./cards/charges/routes.ts";
import type { ChargeDeps } from "./cards/charges/service.ts";
import { closingRoutes } from "./cards/closing/routes.ts";
import type { ClosingDeps } from "./cards/closing/service.ts";
import { detailsRoutes } from "./cards/details/routes.ts";
import type { DetailsDeps } from "./cards/details/service.ts";
import { fundingRoutes } from "./cards/funding/routes.ts";
import type { FundingDeps } from "./cards/funding/service.ts";
import { issuingRoutes } from "./cards/issuing/routes.ts";
import type { IssuingDeps } from "./cards/issuing/service.ts";
import { settingsRoutes } from "./cards/settings/routes.ts";
import type { SettingsDeps } from "./cards/settings/service.ts";
import { controlsRoutes } from "./controls/routes.ts";
import type { ControlsDeps } from "./controls/service.ts";
import { callbackRoutes } from "./customers/callback-routes.ts";
import { customerRoutes, kycRoutes } from "./customers/routes.ts";
import type { KycDeps } from "./customers/verification-service.ts";
import answers from "./docs/answers.json" with { type: "json" };
import { docsRoutes } from "./docs/site/routes.ts";
import type { Config } from "./foundation/config/table.ts";
import type { Addresses } from "./http/addresses.ts";
import { type ApiDeps, type App, createApp } from "./http/app.ts";
import { healthRoutes } from "./http/health.ts";
import { type Metrics, metricsRoute } from "./http/metrics.ts";
import { publishOpenApi } from "./http/openapi.ts";
import { type DryRunDeps, dryRunRoutes } from "./network/dry-run/routes.ts";
import { networkSimulatorRoutes } from "./network/simulator/routes.ts";
import { programmeRoutes } from "./programmes/routes.ts";
import { requestRoutes } from "./references/routes.ts";
import type { ClockDeps } from "./sandbox/clock.ts";
import type { FaultDeps } from "./sandbox/faults/service.ts";
import { sandboxRoutes } from "./sandbox/routes.ts";
import { transactionRoutes } from "./transactions/routes.ts";
import type { TransactionDeps } from "./transactions/service.ts";
import { entryRoutes } from "./wallets/entries/routes.ts";
import { walletRoutes } from "./wallets/routes.ts";
import type { WalletDeps } from "./wallets/service.ts";
import { endpointRoutes } from "./webhooks/endpoints/routes.ts";
import type { EndpointDeps } from "./webhooks/endpoints/service.ts";
import { eventRoutes } from "./webhooks/events/routes.ts";
import type { EventDeps } from "./webhooks/events/service.ts";

/** What the features need, whichever listener they are put on. */
export type FeatureDeps = AuthorizationSettingsDeps &
  WalletDeps &
  KycDeps &
  IssuingDeps &
  DetailsDeps &
  SettingsDeps &
  FundingDeps &
  ChargeDeps &
  ClosingDeps &
  ControlsDeps &
  TransactionDeps &
  EndpointDeps &
  EventDeps &
  ClockDeps &
  FaultDeps &
  DryRunDeps & {
    config: Config;
    metrics: Metrics;
    isAccepting: () => boolean;
  };

export type AllDeps = ApiDeps & FeatureDeps & { addresses: Addresses };

/** The API with all its features. A process without the role `api` serves only health and metrics here. */
export function createApi(deps: AllDeps): App {
  const { config, metrics } = deps;
  const isServed = config.roles.includes("api");
  return createApp(deps, {
    open: (root) => {
      if (isServed) {
        publishOpenApi(root, deps.addresses, answers);
        docsRoutes(root, { addresses: deps.addresses, isSandbox: config.isSandbox });
        callbackRoutes(root, deps);
      }
      healthRoutes(root, deps);
      metricsRoute(root, metrics, { open: config.isSandbox, token: config.metricsToken });
    },
    authenticated: (api) => {
      if (isServed) featureRoutes(api, deps);
    },
  });
}

/** Every route under /api/v1; the dashboard mounts the same ones behind its sessions. */
export function featureRoutes(api: App, deps: AllDeps): void {
  requestRoutes(api, deps);
  kycRoutes(api, deps);
  customerRoutes(api, deps);
  walletRoutes(api, deps);
  entryRoutes(api, deps);
  programmeRoutes(api, deps);
  issuingRoutes(api, deps);
  detailsRoutes(api, deps);
  settingsRoutes(api, deps);
  fundingRoutes(api, deps);
  chargeRoutes(api, deps);
  closingRoutes(api, deps);
  controlsRoutes(api, deps);
  transactionRoutes(api, deps);
  dryRunRoutes(api, deps);
  authorizationSettingsRoutes(api, deps);
  endpointRoutes(api, deps);
  eventRoutes(api, deps);
  if (deps.config.isSandbox) {
    sandboxRoutes(api, deps);
    networkSimulatorRoutes(api, deps);
  }
}
