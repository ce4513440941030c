import type { Figure } from "./figure.ts";
import {
  authorize,
  authorizeCpu,
  authorizeGrown,
  authorizeHotCard,
  authorizeHttp,
  authorizeP99,
} from "./figures/authorize.ts";
import { codecDecode, codecEncode } from "./figures/codec.ts";
import { dashboardInteractions } from "./figures/dashboard.ts";
import { deposit } from "./figures/deposit.ts";
import { gateway, gatewayP99 } from "./figures/gateway.ts";
import { getWallets } from "./figures/get-wallets.ts";
import { issue } from "./figures/issue.ts";
import { deepPage } from "./figures/list-pages.ts";
import { managedDeadline } from "./figures/managed.ts";
import { memory } from "./figures/memory.ts";
import { firstStart, startUp } from "./figures/start-up.ts";
import { topUp, topUpOneWallet } from "./figures/top-up.ts";
import {
  authorizeBesideBacklog,
  authorizeWithDeliveries,
  backlogMemory,
  deliveries,
  deliveryP50,
  deliveryP99,
} from "./figures/webhooks.ts";

/**
 * In the order they are measured: starts while nothing else runs, memory before much has been asked of
 * the service, and what needs a million cards when all else has been seen.
 */
export const figures: readonly Figure[] = [
  firstStart,
  startUp,
  getWallets,
  deposit,
  memory,
  deliveryP50,
  deliveryP99,
  deliveries,
  backlogMemory,
  topUp,
  topUpOneWallet,
  issue,
  authorize,
  authorizeCpu,
  authorizeHotCard,
  authorizeHttp,
  authorizeP99,
  authorizeWithDeliveries,
  authorizeBesideBacklog,
  managedDeadline,
  gateway,
  gatewayP99,
  codecDecode,
  codecEncode,
  dashboardInteractions,
  deepPage,
  authorizeGrown,
];
