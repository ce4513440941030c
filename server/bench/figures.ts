import type { Figure } from "./figure.ts";
import { deposit } from "./figures/deposit.ts";
import { getWallets } from "./figures/get-wallets.ts";
import { memory } from "./figures/memory.ts";
import { firstStart, startUp } from "./figures/start-up.ts";

/** In the order they are measured: starts while nothing else runs, memory when all has been seen. */
export const figures: readonly Figure[] = [firstStart, startUp, getWallets, deposit, memory];
