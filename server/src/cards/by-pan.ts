import { bytesArray } from "../db/arrays.ts";
import type { ManyQuery, Reads } from "../db/reads.ts";
import type { Vault } from "../keys/vault.ts";
import { hashPan } from "./secrets.ts";

interface Found {
  organizationId: string;
  cardId: string;
  panHash: Buffer;
}

const cardByPanHash: ManyQuery<string, Found> = {
  statement: (hashes) => ({
    name: "card_by_pan_hash",
    text: `
      select s.organization_id as "organizationId", s.card_id as "cardId", s.pan_hash as "panHash"
        from unnest($1::bytea[]) as k(pan_hash)
       cross join lateral (select * from card_secrets where pan_hash = k.pan_hash limit 1) s`,
    values: [bytesArray(hashes.map((hash) => Buffer.from(hash, "hex")))],
  }),
  keyOf: ({ panHash }) => panHash.toString("hex"),
};

/**
 * The card with this number, whichever organization's it is. Rotations leave the hashes of older cards
 * as they are, so the number is looked up under every version of the key.
 */
export async function findCardByPan(
  { reads, vault }: { reads: Reads; vault: Vault },
  pan: string,
): Promise<{ organizationId: string; cardId: string } | undefined> {
  const hashes = vault.derivationKeys("pan-hash").map(({ key }) => hashPan(key, pan));
  const found = await Promise.all(
    hashes.map((hash) => reads.ask(cardByPanHash, hash.toString("hex"))),
  );
  const [card] = found.flat();
  return card && { organizationId: card.organizationId, cardId: card.cardId };
}
