import type { FastifyRequest } from "fastify";
import { transaction } from "../../db/transaction.ts";
import { Failure } from "../../foundation/failure.ts";
import type { Addresses } from "../../http/addresses.ts";
import { audit } from "../audit/service.ts";
import { passwordChangedLetter, resetLetter } from "../mail/letters.ts";
import type { PostOffice } from "../mail/post-office.ts";
import { makeLink } from "../onboarding/links.ts";
import { refuseWeakPassword, requireMail, uselessLink } from "../onboarding/service.ts";
import { consumeLink, endResetLinks, findLink, type Link } from "../onboarding/store.ts";
import { findPersonByEmail, lockPerson, savePassword, saveTotpSecret } from "../people/store.ts";
import { openSession } from "../sessions/service.ts";
import type { Session, SessionState } from "../sessions/session.ts";
import { deleteSessions } from "../sessions/store.ts";
import { hashPassword, isPassword } from "./passwords.ts";
import { attemptOf, type Entered, noteFailure, type SignInDeps } from "./service.ts";

export interface PasswordDeps extends SignInDeps {
  addresses: Addresses;
  postOffice: PostOffice;
}

/** Sends a link to whoever has forgotten the password, if there is such a person. */
export function forgetPassword(deps: PasswordDeps, email: string, ip: string): void {
  const { pool, postOffice, throttle, addresses } = deps;
  requireMail(postOffice);
  throttle.takeLetter(ip);
  postOffice.post(async () => {
    const person = await findPersonByEmail(pool, email);
    if (person === undefined || !throttle.mayWriteTo(email, "Reset")) return undefined;
    const { organizationId, personId, name, role } = person;
    const { token } = await makeLink(pool, deps, {
      kind: "Reset",
      organizationId,
      personId,
      email,
      name,
      role,
      organizationName: null,
      invitedBy: null,
    });
    return resetLetter(email, name, `${addresses.dashboard}/reset?token=${token}`);
  });
}

/** A link that would still set a new password, without using it up. */
export async function findReset(deps: PasswordDeps, token: string): Promise<Link> {
  const link = await findLink(deps.pool, deps.hashes.all("link", token), ["Reset"], new Date());
  return link ?? Promise.reject(uselessLink());
}

/** A new password by a link. It ends all sessions, and the second factor is still needed. */
export async function resetPassword(
  deps: PasswordDeps,
  request: FastifyRequest,
  { token, password }: { token: string; password: string },
): Promise<Entered> {
  const expected = await findReset(deps, token);
  refuseWeakPassword(password, expected);
  const passwordHash = await hashPassword(password, request);
  const entered = await transaction(deps.pool, async (tx) => {
    const hashes = deps.hashes.all("link", token);
    const link = await consumeLink(tx, hashes, ["Reset"], new Date());
    const { organizationId, personId } = link ?? {};
    if (!organizationId || !personId) throw uselessLink();
    const person = await lockPerson(tx, { organizationId, personId });
    if (person === undefined) throw uselessLink();
    await savePassword(tx, person, passwordHash);
    await endResetLinks(tx, person, new Date());
    await deleteSessions(tx, person);
    // Whoever knew the old password may have seen a secret that no app has proved yet.
    if (person.totpEnrolledAt === null) await saveTotpSecret(tx, person, null);
    await audit(tx, deps.clock, { ...person, action: "password.reset", address: request.ip });
    const state: SessionState = person.totpEnrolledAt === null ? "EnrolTotp" : "Totp";
    return { token: await openSession(tx, deps, request, { ...person, state }), state };
  });
  if (expected.personId !== null) deps.streams.recheck(expected.personId);
  deps.postOffice.post(async () => passwordChangedLetter(expected.email, expected.name));
  return entered;
}

/** A new password by the old one. It ends all other sessions. */
export async function changePassword(
  deps: PasswordDeps,
  request: FastifyRequest,
  session: Session,
  { currentPassword, password }: { currentPassword: string; password: string },
): Promise<Entered> {
  const { pool, throttle, postOffice } = deps;
  const attempt = await attemptOf(deps, request, session.email);
  const person = await findPersonByEmail(pool, session.email);
  const isRight = await throttle.tryPassword(attempt, () =>
    isPassword(currentPassword, person?.passwordHash, attempt),
  );
  if (!isRight) {
    await noteFailure(deps, request, session, "password");
    throw notYourPassword();
  }
  refuseWeakPassword(password, session);
  const passwordHash = await hashPassword(password, attempt);
  const token = await transaction(pool, async (tx) => {
    // Another one may have been set meanwhile, by whoever has read the person's mail.
    const now = await lockPerson(tx, session);
    if (now?.passwordHash !== person?.passwordHash) throw notYourPassword();
    await savePassword(tx, session, passwordHash);
    // Whoever holds a link from before must not undo with it what the person has just done.
    await endResetLinks(tx, session, new Date());
    await deleteSessions(tx, session);
    await audit(tx, deps.clock, { ...session, action: "password.changed", address: request.ip });
    return openSession(tx, deps, request, { ...session, state: "Full" });
  });
  postOffice.post(async () => passwordChangedLetter(session.email, session.name));
  return { token, state: "Full" };
}

function notYourPassword(): Failure {
  const message = "is not your password";
  return new Failure("INVALID_REQUEST", { errors: [{ field: "currentPassword", message }] });
}
