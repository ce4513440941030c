import type { Vault } from "../keys/vault.ts";
import type { KycImage } from "./images.ts";
import type { Identity } from "./submission.ts";
import type { SealedImage, Side } from "./verification-store.ts";

interface Place {
  organizationId: string;
  kycToken: string;
}

/** Names the row and column, so that what is sealed there works nowhere else. */
export const identityPlace = ({ organizationId, kycToken }: Place): string =>
  `kyc_verifications/${organizationId}/${kycToken}/identity`;

export const imagePlace = ({ organizationId, kycToken }: Place, side: string): string =>
  `kyc_images/${organizationId}/${kycToken}/${side}`;

export function sealIdentity(vault: Vault, place: Place, identity: Identity): Buffer {
  return vault.seal(JSON.stringify(identity), identityPlace(place));
}

export async function unsealIdentity(
  vault: Vault,
  place: Place,
  sealed: Buffer,
): Promise<Identity> {
  const text = await vault.unseal(sealed, identityPlace(place));
  return JSON.parse(text.toString());
}

export function sealImage(vault: Vault, place: Place, side: Side, image: KycImage): SealedImage {
  const imageSealed = vault.seal(image.bytes, imagePlace(place, side));
  return { side, mediaType: image.mediaType, imageSealed };
}

export async function unsealImage(
  vault: Vault,
  place: Place,
  { side, mediaType, imageSealed }: SealedImage,
): Promise<KycImage> {
  return { mediaType, bytes: await vault.unseal(imageSealed, imagePlace(place, side)) };
}
