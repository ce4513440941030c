import type { BlacklistMerchantsBody, MerchantOutcome } from "../generated/openapi.ts";
import type { CallOptions } from "../options.ts";
import { Resource } from "./resource.ts";

/** One merchant, or up to 100. */
export type Mids = BlacklistMerchantsBody;

/** The merchants that a card is kept from or restricted to. Each merchant has an outcome of its own. */
export class Merchants extends Resource {
  blacklist(cardId: string, body: Mids, options?: CallOptions): Promise<MerchantOutcome[]> {
    return this.call("blacklistMerchants", { params: { cardId }, body }, options);
  }

  removeFromBlacklist(
    cardId: string,
    body: Mids,
    options?: CallOptions,
  ): Promise<MerchantOutcome[]> {
    return this.call("removeMerchantBlacklist", { params: { cardId }, body }, options);
  }

  whitelist(cardId: string, body: Mids, options?: CallOptions): Promise<MerchantOutcome[]> {
    return this.call("whitelistMerchants", { params: { cardId }, body }, options);
  }

  removeFromWhitelist(
    cardId: string,
    body: Mids,
    options?: CallOptions,
  ): Promise<MerchantOutcome[]> {
    return this.call("removeMerchantWhitelist", { params: { cardId }, body }, options);
  }

  /** Lets one attempt at a blacklisted merchant through. */
  unblockOnce(cardId: string, body: Mids, options?: CallOptions): Promise<MerchantOutcome[]> {
    return this.call("unblockMerchantsOnce", { params: { cardId }, body }, options);
  }
}
