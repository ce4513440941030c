import { isUnavailable } from "../../db/errors.ts";
import { Failure } from "../../foundation/failure.ts";
import { NO_CURSOR } from "../../http/pagination.ts";
import type { Vault } from "../../keys/vault.ts";

export interface WalletPath {
  organizationId: string;
  walletId: string;
}

/** As long as the largest number, so that its size does not show. */
const DIGITS = 19;

/**
 * Where a page of a wallet's lines ends. Postings are numbered across all organizations, and how many others make is
 * nobody's business: the number leaves sealed, and opens for its wallet only.
 */
export function sealPlace(vault: Vault, wallet: WalletPath, postingId: bigint): string {
  const digits = String(postingId).padStart(DIGITS, "0");
  return vault.seal(digits, placeSealContext(wallet)).toString("base64url");
}

export const isSealedPlace = (text: string): boolean => /^[\w-]{70}$/.test(text);

export async function openPlace(vault: Vault, wallet: WalletPath, sealed: string): Promise<bigint> {
  try {
    const digits = await vault.unseal(Buffer.from(sealed, "base64url"), placeSealContext(wallet));
    return BigInt(String(digits));
  } catch (error) {
    if (isUnavailable(error)) throw error;
    throw new Failure("INVALID_REQUEST", { errors: [{ field: "cursor", message: NO_CURSOR }] });
  }
}

const placeSealContext = ({ organizationId, walletId }: WalletPath): string =>
  `postings/${organizationId}/${walletId}/place`;
