import type { FastifyReply, FastifyRequest } from "fastify";
import type { Connection, Pool } from "../../db/pool.ts";
import type { Clock } from "../../foundation/clock.ts";
import { Failure } from "../../foundation/failure.ts";
import { isId, newId } from "../../foundation/ids.ts";
import { randomSecret, sameSecret } from "../../foundation/keyring.ts";
import type { Cookies } from "../access/cookies.ts";
import type { TokenHashes } from "../access/token-hashes.ts";
import { audit } from "../audit/service.ts";
import type { OpenStreams } from "./open-streams.ts";
import type { Session, SessionState } from "./session.ts";
import {
  deleteSession,
  findSession,
  insertSession,
  listSessions,
  type SessionRow,
  touchSession,
} from "./store.ts";

const TOKEN_BYTES = 32;
/** How long one may take from the password to the second factor. */
const HALF_WAY_MS = 15 * 60_000;
/** Noting every request would write more than it tells. */
const TOUCH_MS = 20_000;
const MAX_USER_AGENT_LENGTH = 300;
const MAX_LISTED = 100;

export interface SessionDeps {
  pool: Pool;
  clock: Clock;
  hashes: TokenHashes;
  cookies: Cookies;
  streams: OpenStreams;
  config: { sessionIdleS: number; sessionMaxS: number };
}

/** Finds out whose request this is, and notes that they are there. */
export async function recognize(deps: SessionDeps, request: FastifyRequest): Promise<void> {
  request.deviceToken = deps.cookies.read(request, "device");
  const session = await sessionOf(deps, request);
  request.session = session;
  if (session === undefined) return;
  const now = new Date();
  if (now.getTime() - session.lastSeenAt.getTime() > TOUCH_MS) {
    await touchSession(deps.pool, session, now);
  }
}

/** The live session that a request came with, without prolonging it: for a stream that only listens. */
export async function sessionOf(
  { pool, hashes, cookies, config }: SessionDeps,
  request: FastifyRequest,
): Promise<Session | undefined> {
  const token = cookies.read(request, "session");
  if (token === undefined) return undefined;
  const stretch = { now: new Date(), idleS: config.sessionIdleS };
  return findSession(pool, hashes.all("session", token), stretch);
}

/** What a new session is opened for. */
export interface Opening {
  organizationId: string;
  personId: string;
  state: SessionState;
}

/** Makes a session and gives its token, to be set as a cookie once all is committed. */
export async function openSession(
  db: Connection,
  deps: SessionDeps,
  request: FastifyRequest,
  { organizationId, personId, state }: Opening,
): Promise<string> {
  const token = randomSecret(TOKEN_BYTES);
  const now = new Date();
  const lifetimeMs = state === "Full" ? deps.config.sessionMaxS * 1000 : HALF_WAY_MS;
  const before = request.session;
  // Whoever comes further gets a new token, so that one that was planted or seen before is worth nothing.
  if (before !== undefined) await deleteSession(db, before, before.sessionId);
  await insertSession(db, {
    organizationId,
    sessionId: newId("ses", now.getTime()),
    personId,
    tokenHash: deps.hashes.current("session", token),
    state,
    address: request.ip,
    userAgent: userAgentOf(request),
    now,
    expiresAt: new Date(now.getTime() + lifetimeMs),
  });
  return token;
}

/** The answer to whoever has come further, with the new cookie. */
export function enter(
  deps: SessionDeps,
  reply: FastifyReply,
  token: string,
  state: SessionState,
): { state: SessionState; csrfToken: string } {
  deps.cookies.set(reply, "session", token);
  // The session before has given way to this one, and others may have ended with it.
  const before = reply.request.session;
  if (before !== undefined) deps.streams.recheck(before.personId);
  return { state, csrfToken: deps.hashes.current("csrf", token) };
}

const userAgentOf = ({ headers }: FastifyRequest): string =>
  (headers["user-agent"] ?? "").replace(/[^\x20-\x7e]/g, "").slice(0, MAX_USER_AGENT_LENGTH);

/** The token that a browser must send with whatever changes something. */
export function csrfTokenOf(deps: SessionDeps, request: FastifyRequest): string {
  return deps.hashes.current("csrf", csrfSource(deps, request) ?? "");
}

export function refuseForged(deps: SessionDeps, request: FastifyRequest): void {
  const given = request.headers["x-csrf-token"];
  const source = csrfSource(deps, request);
  const isRight =
    typeof given === "string" &&
    source !== undefined &&
    deps.hashes.all("csrf", source).filter((token) => sameSecret(token, given)).length > 0;
  if (isRight) return;
  throw new Failure("UNAUTHORIZED", {
    message: "The CSRF token is missing or wrong; ask for a new one",
  });
}

/** Before there is a session, the browser's own token stands in for it. */
const csrfSource = (deps: SessionDeps, request: FastifyRequest): string | undefined =>
  request.session === undefined ? request.deviceToken : deps.cookies.read(request, "session");

/** Every browser gets a token of its own, with its first visit. */
export function ensureDevice(
  deps: SessionDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): string {
  const token = request.deviceToken ?? randomSecret(TOKEN_BYTES);
  deps.cookies.set(reply, "device", token);
  request.deviceToken = token;
  return token;
}

export function readSessions(deps: SessionDeps, session: Session): Promise<SessionRow[]> {
  const { sessionIdleS: idleS } = deps.config;
  return listSessions(deps.pool, session, { now: new Date(), idleS, limit: MAX_LISTED });
}

/** Ends one of the person's own sessions. */
export async function endSession(
  deps: SessionDeps,
  session: Session,
  sessionId: string,
  address: string,
): Promise<void> {
  const isEnded = isId("ses", sessionId) && (await deleteSession(deps.pool, session, sessionId));
  if (!isEnded) throw new Failure("UNABLE_TO_LOCATE_RECORD");
  deps.streams.recheck(session.personId);
  await audit(deps.pool, deps.clock, {
    ...session,
    action: "session.ended",
    subject: sessionId,
    address,
  });
}
