import type { Pool } from "../../db/pool.ts";
import type { SharedStateFeed } from "../../db/shared-state.ts";
import type { Clock } from "../../foundation/clock.ts";
import { webhookSecretSealContext } from "../../identity/organizations.ts";
import type { Vault } from "../../keys/vault.ts";
import { Signer } from "../../outbound/signer.ts";
import { OverlappingSigner } from "./overlapping-signer.ts";
import { type DefaultDecision, findSettings, type Settings, type SettingsRow } from "./store.ts";

const MAX_REMEMBERED = 10_000;

/** Where an organization is told something, and what signs it. */
export interface Recipient {
  url: string;
  signer: Pick<Signer, "sign">;
}

/** How an organization that decides for itself is asked. */
export interface ManagedArrangement {
  recipient: Recipient;
  defaultDecision: DefaultDecision;
  revision: bigint;
}

/** What decides an organization's authorizations, ready to be used. */
export interface Arrangement {
  /** As it was chosen, with the model that is in force. */
  settings: Settings;
  /** Whether the operator lets it decide for itself. */
  isEnabled: boolean;
  /** Whether the organization is out of service, so that its cards buy nothing. */
  isDisabled: boolean;
  /** Set where the organization decides. */
  managed?: ManagedArrangement;
  /** Where advices go about payments that the organization decided, now or under earlier settings. */
  advised?: Recipient;
}

interface Deps {
  pool: Pool;
  vault: Vault;
  clock: Clock;
  feed: SharedStateFeed;
}

/** Knows how authorizations are decided, from memory as long as the feed says that nothing has changed. */
export class SettingsBook {
  readonly #deps: Deps;
  readonly #known = new Map<string, Arrangement>();
  #version = 0n;

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.feed.on("directoryVersion", (version) => {
      this.#version = version;
      this.#known.clear();
    });
  }

  /** The arrangement if it is in memory and certainly current; the hot path asks here first. */
  recall(organizationId: string): Arrangement | undefined {
    return this.#deps.feed.isFresh() ? this.#known.get(organizationId) : undefined;
  }

  async find(organizationId: string): Promise<Arrangement> {
    const recalled = this.recall(organizationId);
    if (recalled !== undefined) return recalled;
    const version = this.#version;
    const arrangement = await this.read(organizationId);
    // What was read before a change must not outlive it.
    if (version === this.#version) this.#remember(organizationId, arrangement);
    return arrangement;
  }

  /** As it is saved, not as this process knows it: another one may have changed it a moment ago. */
  async read(organizationId: string): Promise<Arrangement> {
    const row = await findSettings(this.#deps.pool, organizationId);
    if (row === undefined) throw new Error(`There is no organization ${organizationId}.`);
    return this.#arrange(organizationId, row);
  }

  async #arrange(organizationId: string, row: SettingsRow): Promise<Arrangement> {
    const { isEnabled, isDisabled, adviceUrl } = row;
    const { authorizationUrl, defaultAuthorizationDecision } = row;
    const isManaged = isEnabled && row.model === "CustomerManaged";
    const arrangement: Arrangement = {
      settings: {
        model: isManaged ? "CustomerManaged" : "ServiceManaged",
        authorizationUrl,
        defaultAuthorizationDecision,
      },
      isEnabled,
      isDisabled,
    };
    if (adviceUrl === null) return arrangement;
    const signer = await this.#signerOf(organizationId, row);
    arrangement.advised = { url: adviceUrl, signer };
    if (isManaged && authorizationUrl !== null && defaultAuthorizationDecision !== null) {
      arrangement.managed = {
        recipient: { url: authorizationUrl, signer },
        defaultDecision: defaultAuthorizationDecision,
        revision: row.revision,
      };
    }
    return arrangement;
  }

  async #signerOf(organizationId: string, row: SettingsRow): Promise<Recipient["signer"]> {
    const { vault, clock } = this.#deps;
    const open = async (sealed: Buffer): Promise<Signer> =>
      new Signer((await vault.unseal(sealed, webhookSecretSealContext(organizationId))).toString());
    const signer = await open(row.webhookSecretSealed);
    const { previousWebhookSecretSealed: previous, previousWebhookSecretUntil: until } = row;
    if (previous === null || until === null || until <= clock.now()) return signer;
    return new OverlappingSigner(signer, { signer: await open(previous), until }, clock);
  }

  #remember(organizationId: string, arrangement: Arrangement): void {
    if (this.#known.size >= MAX_REMEMBERED) this.#known.clear();
    this.#known.set(organizationId, arrangement);
  }
}
