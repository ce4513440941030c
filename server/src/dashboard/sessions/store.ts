import type { Connection } from "../../db/pool.ts";
import type { Session, SessionState } from "./session.ts";

/** A live session by the hashes that its token may be stored under. */
export async function findSession(
  db: Connection,
  hashes: readonly string[],
  { now, idleS }: { now: Date; idleS: number },
): Promise<Session | undefined> {
  const { rows } = await db.query<Session>(
    `select s.session_id as "sessionId", s.state, s.organization_id as "organizationId",
            o.name as "organizationName", o.status = 'Enabled' as "isEnabled",
            s.person_id as "personId", p.name, p.email, p.role, s.last_seen_at as "lastSeenAt"
       from person_sessions s
       join people p using (organization_id, person_id)
       join organizations o using (organization_id)
      where s.token_hash = any($1) and s.expires_at > $2
        and s.last_seen_at > $2::timestamptz - make_interval(secs => $3) and p.removed_at is null`,
    [hashes, now, idleS],
  );
  return rows[0];
}

export interface NewSession {
  organizationId: string;
  sessionId: string;
  personId: string;
  tokenHash: string;
  state: SessionState;
  address: string;
  userAgent: string;
  now: Date;
  expiresAt: Date;
}

export async function insertSession(db: Connection, session: NewSession): Promise<void> {
  await db.query(
    `insert into person_sessions (organization_id, session_id, person_id, token_hash, state, address,
       user_agent, created_at, last_seen_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)`,
    [
      session.organizationId,
      session.sessionId,
      session.personId,
      session.tokenHash,
      session.state,
      session.address,
      session.userAgent,
      session.now,
      session.expiresAt,
    ],
  );
}

/** Notes that somebody is there. */
export async function touchSession(
  db: Connection,
  { organizationId, sessionId, personId }: Session,
  now: Date,
): Promise<void> {
  await db.query(
    `with seen as (
       update person_sessions set last_seen_at = $3 where organization_id = $1 and session_id = $2)
     update people set last_seen_at = $3 where organization_id = $1 and person_id = $4`,
    [organizationId, sessionId, now, personId],
  );
}

export interface SessionRow {
  sessionId: string;
  createdAt: Date;
  lastSeenAt: Date;
  address: string;
  userAgent: string;
}

/** The sessions that a person is signed in with, latest first. */
export async function listSessions(
  db: Connection,
  { organizationId, personId }: Pick<Session, "organizationId" | "personId">,
  { now, idleS, limit }: { now: Date; idleS: number; limit: number },
): Promise<SessionRow[]> {
  const { rows } = await db.query<SessionRow>(
    `select session_id as "sessionId", created_at as "createdAt", last_seen_at as "lastSeenAt", address,
            user_agent as "userAgent"
       from person_sessions
      where organization_id = $1 and person_id = $2 and state = 'Full' and expires_at > $3
        and last_seen_at > $3::timestamptz - make_interval(secs => $4)
      order by last_seen_at desc, session_id desc limit $5`,
    [organizationId, personId, now, idleS, limit],
  );
  return rows;
}

/** False when the person has no such session. */
export async function deleteSession(
  db: Connection,
  { organizationId, personId }: Pick<Session, "organizationId" | "personId">,
  sessionId: string,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `delete from person_sessions where organization_id = $1 and person_id = $2 and session_id = $3`,
    [organizationId, personId, sessionId],
  );
  return rowCount === 1;
}

/** Signs a person out everywhere. */
export async function deleteSessions(
  db: Connection,
  { organizationId, personId }: Pick<Session, "organizationId" | "personId">,
): Promise<void> {
  await db.query("delete from person_sessions where organization_id = $1 and person_id = $2", [
    organizationId,
    personId,
  ]);
}

/** Forgets sessions that are over. */
export async function deleteEndedSessions(
  db: Connection,
  { now, idleS }: { now: Date; idleS: number },
): Promise<void> {
  await db.query(
    `delete from person_sessions
      where expires_at < $1 or last_seen_at < $1::timestamptz - make_interval(secs => $2)`,
    [now, idleS],
  );
}
