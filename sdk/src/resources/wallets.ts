import type { Csv } from "../csv.ts";
import { NotFoundError } from "../errors.ts";
import type { ListWalletEntriesQuery, Wallet, WalletEntry } from "../generated/openapi.ts";
import type { List } from "../list.ts";
import { type ReadOptions, Resource } from "./resource.ts";

/** Your organization's money, one wallet per currency. */
export class Wallets extends Resource {
  list(options?: ReadOptions): Promise<Wallet[]> {
    return this.call("listWallets", {}, options);
  }

  /** One wallet, by its id or its currency. */
  async get(walletIdOrCurrency: string, options?: ReadOptions): Promise<Wallet> {
    const wallets = await this.list(options);
    const wallet = wallets.find(
      ({ walletId, currency }) =>
        walletId === walletIdOrCurrency || currency === walletIdOrCurrency,
    );
    if (wallet !== undefined) return wallet;
    throw new NotFoundError({ message: "There is no such wallet.", responseCode: "157" });
  }

  /** The lines of its ledger, newest first. */
  entries(
    walletId: string,
    query?: ListWalletEntriesQuery,
    options?: ReadOptions,
  ): List<WalletEntry> {
    return this.listing("listWalletEntries", { params: { walletId }, query }, options);
  }

  /** All lines that the filter matches, as a CSV file. */
  exportEntriesCsv(walletId: string, query?: ListWalletEntriesQuery, options?: ReadOptions): Csv {
    return this.csv("listWalletEntries", { params: { walletId }, query }, options);
  }
}
