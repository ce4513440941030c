import type { Connection, Pool } from "../../db/pool.ts";
import { newId } from "../../foundation/ids.ts";
import { randomSecret } from "../../foundation/keyring.ts";
import type { TokenHashes } from "../access/token-hashes.ts";
import { endLinksTo, insertLink, type NewLink } from "./store.ts";

const TOKEN_BYTES = 32;
const HOUR_MS = 3_600_000;
const LIFETIMES_MS = { SignUp: 24 * HOUR_MS, Invitation: 24 * HOUR_MS, Reset: HOUR_MS };

type Wanted = Omit<NewLink, "linkId" | "tokenHash" | "now" | "expiresAt">;

export interface LinkDeps {
  pool: Pool;
  hashes: TokenHashes;
}

/** Makes a link, in place of an earlier one of its kind, and gives its token, which is kept nowhere. */
export async function makeLink(
  db: Connection,
  { hashes }: LinkDeps,
  link: Wanted,
): Promise<{ token: string; linkId: string; expiresAt: Date }> {
  const token = randomSecret(TOKEN_BYTES);
  const now = new Date();
  const linkId = newId("lnk", now.getTime());
  const expiresAt = new Date(now.getTime() + LIFETIMES_MS[link.kind]);
  // An invitation of one organization must not end another's.
  if (link.kind !== "Invitation") await endLinksTo(db, link, now);
  const tokenHash = hashes.current("link", token);
  await insertLink(db, { ...link, linkId, tokenHash, now, expiresAt });
  return { token, linkId, expiresAt };
}
