import type { Connection } from "../../db/pool.ts";
import type { Role } from "../access/roles.ts";

export type LinkKind = "SignUp" | "Invitation" | "Reset";

/** What a link in a letter stands for. */
export interface Link {
  linkId: string;
  kind: LinkKind;
  organizationId: string | null;
  personId: string | null;
  email: string;
  name: string;
  organizationName: string;
  role: Role;
}

export interface NewLink extends Omit<Link, "organizationName"> {
  tokenHash: string;
  organizationName: string | null;
  invitedBy: string | null;
  now: Date;
  expiresAt: Date;
}

export async function insertLink(db: Connection, link: NewLink): Promise<void> {
  await db.query(
    `insert into person_links (link_id, kind, token_hash, organization_id, person_id, email, name,
       organization_name, role, invited_by, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      link.linkId,
      link.kind,
      link.tokenHash,
      link.organizationId,
      link.personId,
      link.email,
      link.name,
      link.organizationName,
      link.role,
      link.invitedBy,
      link.now,
      link.expiresAt,
    ],
  );
}

const LINK = `l.link_id as "linkId", l.kind, l.organization_id as "organizationId",
  l.person_id as "personId", l.email, l.name, coalesce(o.name, l.organization_name) as "organizationName",
  l.role`;

const isGood = (hashes: string, now: string): string =>
  `l.token_hash = any(${hashes}) and l.used_at is null and l.expires_at > ${now}`;

/** A link that still works. */
export async function findLink(
  db: Connection,
  hashes: readonly string[],
  kinds: readonly LinkKind[],
  now: Date,
): Promise<Link | undefined> {
  const { rows } = await db.query<Link>(
    `select ${LINK} from person_links l left join organizations o using (organization_id)
      where ${isGood("$1", "$2")} and l.kind = any($3)`,
    [hashes, now, kinds],
  );
  return rows[0];
}

/** Uses a link up. Of two who try at once, one gets it. */
export async function consumeLink(
  db: Connection,
  hashes: readonly string[],
  kinds: readonly LinkKind[],
  now: Date,
): Promise<Link | undefined> {
  const { rows } = await db.query<{ linkId: string }>(
    `update person_links l set used_at = $2 where ${isGood("$1", "$2")} and l.kind = any($3)
     returning link_id as "linkId"`,
    [hashes, now, kinds],
  );
  if (rows[0] === undefined) return undefined;
  const found = await db.query<Link>(
    `select ${LINK} from person_links l left join organizations o using (organization_id)
      where l.link_id = $1`,
    [rows[0].linkId],
  );
  return found.rows[0];
}

/** Ends other links of the kind for an address: the latest letter is the one that counts. */
export async function endLinksTo(
  db: Connection,
  { email, kind }: Pick<Link, "email" | "kind">,
  now: Date,
): Promise<void> {
  await db.query(
    `update person_links set used_at = $3
      where email = $1 and kind = $2 and used_at is null and expires_at > $3`,
    [email, kind, now],
  );
}

/** Ends the links with which a person could still choose a new password. */
export async function endResetLinks(
  db: Connection,
  { organizationId, personId }: { organizationId: string; personId: string },
  now: Date,
): Promise<void> {
  await db.query(
    `update person_links set used_at = $3
      where organization_id = $1 and person_id = $2 and kind = 'Reset' and used_at is null
        and expires_at > $3`,
    [organizationId, personId, now],
  );
}

/** Ends the invitations that a person has written and nobody has followed yet. */
export async function endInvitationsBy(
  db: Connection,
  { organizationId, personId }: { organizationId: string; personId: string },
  now: Date,
): Promise<void> {
  await db.query(
    `update person_links set used_at = $3
      where organization_id = $1 and invited_by = $2 and kind = 'Invitation' and used_at is null
        and expires_at > $3`,
    [organizationId, personId, now],
  );
}

export interface InvitationRow {
  invitationId: string;
  email: string;
  name: string;
  role: Role;
  invitedBy: string;
  expiresAt: Date;
}

export async function listInvitations(
  db: Connection,
  organizationId: string,
  now: Date,
  limit: number,
): Promise<InvitationRow[]> {
  const { rows } = await db.query<InvitationRow>(
    `select l.link_id as "invitationId", l.email, l.name, l.role,
            coalesce(p.name, 'The operator') as "invitedBy", l.expires_at as "expiresAt"
       from person_links l
       left join people p on p.organization_id = l.organization_id and p.person_id = l.invited_by
      where l.organization_id = $1 and l.kind = 'Invitation' and l.used_at is null and l.expires_at > $2
      order by l.link_id desc limit $3`,
    [organizationId, now, limit],
  );
  return rows;
}

/** False when there is no such invitation any more. */
export async function withdrawInvitation(
  db: Connection,
  organizationId: string,
  invitationId: string,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update person_links set used_at = $3
      where organization_id = $1 and link_id = $2 and kind = 'Invitation' and used_at is null
        and expires_at > $3`,
    [organizationId, invitationId, now],
  );
  return rowCount === 1;
}

/** Forgets links that have long stopped working. */
export async function deleteOldLinks(db: Connection, before: Date): Promise<void> {
  await db.query("delete from person_links where expires_at < $1", [before]);
}
