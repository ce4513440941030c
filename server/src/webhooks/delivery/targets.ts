import type { Clock } from "../../foundation/clock.ts";
import { Signer } from "../../outbound/signer.ts";
import { endpointSecretPlace } from "../endpoints/secret.ts";
import type { TargetRow } from "./claim-store.ts";

/** Where a message goes and who signs it: two secrets while one replaces another. */
export interface Target {
  webhookEndpointId: string;
  url: string;
  signers: readonly Signer[];
}

/** Opens what was sealed for a place. */
export type Unseal = (sealed: Buffer, place: string) => Promise<Buffer>;

const MAX_REMEMBERED = 10_000;

/** Opens the secrets of endpoints, and remembers them by what they were sealed as. */
export class Targets {
  readonly #unseal: Unseal;
  readonly #clock: Clock;
  readonly #signers = new Map<string, Signer>();

  constructor(unseal: Unseal, clock: Clock) {
    this.#unseal = unseal;
    this.#clock = clock;
  }

  async open(row: TargetRow): Promise<Target> {
    const { webhookEndpointId, url, secretSealed, previousSecretSealed } = row;
    const isReplacing =
      previousSecretSealed !== null &&
      (row.previousSecretUntil?.getTime() ?? 0) > this.#clock.nowMs();
    const sealed = isReplacing ? [secretSealed, previousSecretSealed] : [secretSealed];
    const signers = await Promise.all(sealed.map((secret) => this.#signerOf(row, secret)));
    return { webhookEndpointId, url, signers };
  }

  async #signerOf(row: TargetRow, sealed: Buffer): Promise<Signer> {
    const name = sealed.toString("latin1");
    const known = this.#signers.get(name);
    if (known !== undefined) return known;
    const place = endpointSecretPlace(row.organizationId, row.webhookEndpointId);
    const signer = new Signer((await this.#unseal(sealed, place)).toString());
    if (this.#signers.size >= MAX_REMEMBERED) this.#signers.clear();
    this.#signers.set(name, signer);
    return signer;
  }
}
