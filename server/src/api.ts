import { fundingRoutes } from "./cards/funding/routes.ts";
import type { FundingDeps } from "./cards/funding/service.ts";
import { docsRoutes } from "./docs/site/routes.ts";
import type { Config } from "./foundation/config.ts";
import type { Addresses } from "./http/addresses.ts";
import { type ApiDeps, type App, createApp } from "./http/app.ts";
import { healthRoutes } from "./http/health.ts";
import { type Metrics, metricsRoute } from "./http/metrics.ts";
import { publishOpenApi } from "./http/openapi.ts";
import { requestRoutes } from "./references/routes.ts";
import type { ClockDeps } from "./sandbox/clock.ts";
import { simulatorRoutes } from "./sandbox/routes.ts";
import { walletRoutes } from "./wallets/routes.ts";
import type { WalletDeps } from "./wallets/service.ts";

export type AllDeps = ApiDeps &
  WalletDeps &
  FundingDeps &
  ClockDeps & {
    config: Config;
    addresses: Addresses;
    metrics: Metrics;
    isAccepting: () => boolean;
  };

/** The API with all its features. */
export function createApi(deps: AllDeps): App {
  const { config, metrics } = deps;
  return createApp(deps, {
    open: (root) => {
      publishOpenApi(root, deps.addresses);
      docsRoutes(root, { addresses: deps.addresses, isSandbox: config.isSandbox });
      healthRoutes(root, deps);
      metricsRoute(root, metrics, { open: config.isSandbox, token: config.metricsToken });
    },
    authenticated: (api) => {
      requestRoutes(api, deps);
      walletRoutes(api, deps);
      fundingRoutes(api, deps);
      if (config.isSandbox) simulatorRoutes(api, deps);
    },
  });
}
