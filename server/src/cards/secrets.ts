import { createHmac } from "node:crypto";
import type { DerivationKey, Vault } from "../keys/vault.ts";
import type { Card, CardSecrets } from "./card.ts";
import { type CvvSource, deriveCvv } from "./cvv.ts";

/** What a card number is sealed with: moved to another card, it does not open. */
export const panSealContext = (organizationId: string, cardId: string): string =>
  `card_secrets/${organizationId}/${cardId}/pan`;

/** A keyed hash by which a card number is found without the database knowing it. */
export function hashPan(key: Buffer, pan: string): Buffer {
  return createHmac("sha256", key).update(pan).digest();
}

/** A new card number as it is stored, with the keys that its hash and its CVV keep for life. */
export function sealPan(
  vault: Vault,
  organizationId: string,
  cardId: string,
  { pan, hashKey }: { pan: string; hashKey: DerivationKey },
): CardSecrets {
  return {
    cardId,
    panSealed: vault.seal(pan, panSealContext(organizationId, cardId)),
    panHash: hashPan(hashKey.key, pan),
    panHashKey: hashKey.version,
    cvvKey: vault.derivationKey("cvv").version,
  };
}

/** The whole number of a card and its CVV, for those who may see them. */
export async function openSecrets(
  vault: Vault,
  organizationId: string,
  card: Pick<Card, "cardId" | "expiryMonth" | "expiryYear">,
  { panSealed, cvvKey }: Pick<CardSecrets, "panSealed" | "cvvKey">,
): Promise<{ pan: string; cvv: string }> {
  const pan = String(await vault.unseal(panSealed, panSealContext(organizationId, card.cardId)));
  return { pan, cvv: await cvvOf(vault, pan, { ...card, cvvKey }) };
}

/** The CVV of a card number. */
export async function cvvOf(
  vault: Vault,
  pan: string,
  { cvvKey, expiryMonth: month, expiryYear: year }: CvvSource,
): Promise<string> {
  const { key } = await vault.derivationKeyOf("cvv", cvvKey);
  return deriveCvv(key, pan, { month, year });
}
