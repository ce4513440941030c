import { keyedHash } from "../../foundation/keyring.ts";
import type { Vault } from "../../keys/vault.ts";

type Kind = "session" | "device" | "link" | "recovery" | "csrf";

/** Keyed hashes of what only its holder knows. A key may have been rotated since one was stored. */
export class TokenHashes {
  readonly #vault: Vault;

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  /** The one to store or to hand out. */
  current(kind: Kind, token: string): string {
    return keyedHash(this.#vault.derivationKey("token-hash").key, `${kind} ${token}`);
  }

  /** All that a token may have been stored under. */
  all(kind: Kind, token: string): string[] {
    return this.#vault
      .derivationKeys("token-hash")
      .map(({ key }) => keyedHash(key, `${kind} ${token}`));
  }
}
