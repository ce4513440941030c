import type { Figure } from "./figure.ts";
import { authorize, authorizeHotCard, authorizeHttp } from "./figures/authorize.ts";
import { deposit } from "./figures/deposit.ts";
import { getWallets } from "./figures/get-wallets.ts";
import { issue } from "./figures/issue.ts";
import { deepPage } from "./figures/list-pages.ts";
import { memory } from "./figures/memory.ts";
import { firstStart, startUp } from "./figures/start-up.ts";
import { topUp, topUpOneWallet } from "./figures/top-up.ts";

/**
 * In the order they are measured: starts while nothing else runs, the list of a million when all else has
 * been seen, memory before that.
 */
export const figures: readonly Figure[] = [
  firstStart,
  startUp,
  getWallets,
  deposit,
  memory,
  topUp,
  topUpOneWallet,
  issue,
  authorize,
  authorizeHotCard,
  authorizeHttp,
  deepPage,
];
