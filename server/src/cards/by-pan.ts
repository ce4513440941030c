import { bytesArray } from "../db/arrays.ts";
import type { ManyQuery, Reads } from "../db/reads.ts";
import type { DerivationKey, Vault } from "../keys/vault.ts";
import type { CardFacts } from "./card.ts";
import type { CvvSource } from "./cvv.ts";
import { hashPan } from "./secrets.ts";

/** A card found by its number, with what its CVV is derived from besides the number. None of it ever changes. */
export interface FoundCard {
  organizationId: string;
  card: CardFacts;
  cvvSource: CvvSource;
}

type Row = CardFacts & CvvSource & { organizationId: string; panHash: Buffer };

const cardByPanHash: ManyQuery<string, Row> = {
  statement: (hashes) => ({
    name: "card_by_pan_hash",
    text: `
      select c.organization_id as "organizationId", c.card_id as "cardId", c.customer_id as "customerId",
             c.account_id as "accountId", c.type, c.currency, c.programme_id as "programmeId",
             c.is_guest as "isGuest",
             c.expiry_month as "expiryMonth", c.expiry_year as "expiryYear", s.cvv_key as "cvvKey",
             s.pan_hash as "panHash"
        from unnest($1::bytea[]) as k(pan_hash)
       cross join lateral (select * from card_secrets where pan_hash = k.pan_hash limit 1) s
       cross join lateral (select * from cards
         where organization_id = s.organization_id and card_id = s.card_id limit 1) c`,
    values: [bytesArray(hashes.map((hash) => Buffer.from(hash, "hex")))],
  }),
  keyOf: ({ panHash }) => panHash.toString("hex"),
};

/**
 * The card with this number, whichever organization's it is. Rotations leave the hashes of older cards
 * as they are, so the number is looked up under every version of the key.
 */
export function findCardByPan(
  { reads, vault }: { reads: Reads; vault: Vault },
  pan: string,
): Promise<FoundCard | undefined> {
  return findCardUnder(reads, vault.derivationKeys("pan-hash"), pan);
}

/** The same among the cards whose numbers are hashed under these keys. */
export async function findCardUnder(
  reads: Reads,
  keys: readonly DerivationKey[],
  pan: string,
): Promise<FoundCard | undefined> {
  const hashes = keys.map(({ key }) => hashPan(key, pan));
  const found = await Promise.all(
    hashes.map((hash) => reads.ask(cardByPanHash, hash.toString("hex"))),
  );
  const [row] = found.flat();
  if (row === undefined) return undefined;
  const { organizationId, cardId, customerId, accountId, type, currency, programmeId, isGuest } =
    row;
  const { cvvKey, expiryMonth, expiryYear } = row;
  return {
    organizationId,
    card: { cardId, customerId, accountId, type, currency, programmeId, isGuest },
    cvvSource: { cvvKey, expiryMonth, expiryYear },
  };
}
