import type { Vault } from "../keys/vault.ts";
import type { KycImage } from "./images.ts";
import type { IdentityNumbers } from "./submission.ts";
import type { SealedImage, Side } from "./verification-store.ts";

interface VerificationKey {
  organizationId: string;
  kycToken: string;
}

/** Names the row and column, so that what is sealed there works nowhere else. */
export const identitySealContext = ({ organizationId, kycToken }: VerificationKey): string =>
  `kyc_verifications/${organizationId}/${kycToken}/identity`;

export const imageSealContext = (
  { organizationId, kycToken }: VerificationKey,
  side: string,
): string => `kyc_images/${organizationId}/${kycToken}/${side}`;

export function sealIdentity(
  vault: Vault,
  key: VerificationKey,
  identity: IdentityNumbers,
): Buffer {
  return vault.seal(JSON.stringify(identity), identitySealContext(key));
}

export async function unsealIdentity(
  vault: Vault,
  key: VerificationKey,
  sealed: Buffer,
): Promise<IdentityNumbers> {
  const text = await vault.unseal(sealed, identitySealContext(key));
  return JSON.parse(text.toString());
}

export function sealImage(
  vault: Vault,
  key: VerificationKey,
  side: Side,
  image: KycImage,
): SealedImage {
  const imageSealed = vault.seal(image.bytes, imageSealContext(key, side));
  return { side, mediaType: image.mediaType, imageSealed };
}

export async function unsealImage(
  vault: Vault,
  key: VerificationKey,
  { side, mediaType, imageSealed }: SealedImage,
): Promise<KycImage> {
  return { mediaType, bytes: await vault.unseal(imageSealed, imageSealContext(key, side)) };
}
