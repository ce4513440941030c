import type { FastifyRequest } from "fastify";
import type { Connection } from "../../db/pool.ts";
import { transaction } from "../../db/transaction.ts";
import { Failure } from "../../foundation/failure.ts";
import type { Vault } from "../../keys/vault.ts";
import { audit } from "../audit/service.ts";
import { authenticatorChangedLetter, recoveryCodesRenewedLetter } from "../mail/letters.ts";
import { findTotpEnrolledAt, lockPerson, replaceTotpSecret } from "../people/store.ts";
import { openSession } from "../sessions/service.ts";
import type { Session } from "../sessions/session.ts";
import { deleteSessions } from "../sessions/store.ts";
import { keepRecoveryCodes } from "./enrolment.ts";
import type { PasswordDeps } from "./password-service.ts";
import { newRecoveryCodes } from "./recovery-codes.ts";
import { attemptOf, type Entered, isSecondFactor, type SecondFactor } from "./service.ts";
import { countRecoveryCodes } from "./store.ts";
import { describeTotp, newTotpSecret, stepOfCode, totpSealContext } from "./totp.ts";

/** How long one may take from proving the old app to proving the new one. */
const CANDIDATE_MS = 15 * 60_000;

export async function readSecondFactor({ pool }: PasswordDeps, session: Session) {
  const since = await findTotpEnrolledAt(pool, session);
  const recoveryCodesLeft = await countRecoveryCodes(pool, session);
  return { since: since?.toISOString() ?? null, recoveryCodesLeft };
}

/** New recovery codes in the place of all that are left. It ends all other sessions. */
export async function renewRecoveryCodes(
  deps: PasswordDeps,
  request: FastifyRequest,
  session: Session,
  proof: SecondFactor,
): Promise<Entered & { recoveryCodes: string[] }> {
  await requireProof(deps, request, session, proof);
  const recoveryCodes = newRecoveryCodes();
  const entered = await transaction(deps.pool, async (tx) => {
    // Two renewals at once would each delete the codes from before, and both leave theirs.
    const person = await lockPerson(tx, session);
    if (person === undefined) throw removed();
    await keepRecoveryCodes(tx, deps, person, recoveryCodes);
    return endOthers(tx, deps, request, session, "recovery_codes.renewed");
  });
  deps.postOffice.post(async () => recoveryCodesRenewedLetter(session.email, session.name));
  return { ...entered, recoveryCodes };
}

/**
 * A secret for another app, given to whoever proves the present one. Nothing has changed yet: the secret
 * travels with its holder, sealed for this session, until a code proves that the new app has it.
 */
export async function beginReplacement(
  deps: PasswordDeps,
  request: FastifyRequest,
  session: Session,
  proof: SecondFactor,
) {
  await requireProof(deps, request, session, proof);
  const secret = newTotpSecret();
  const until = Date.now() + CANDIDATE_MS;
  const candidate = deps.vault.seal(`${until} ${secret}`, candidateSealContext(session));
  return {
    ...(await describeTotp(secret, session.email)),
    candidate: candidate.toString("base64url"),
  };
}

/** The first code of the new app makes it the one that counts. It ends all other sessions. */
export async function confirmReplacement(
  deps: PasswordDeps,
  request: FastifyRequest,
  session: Session,
  { code, candidate }: { code: string; candidate: string },
): Promise<Entered> {
  const { pool, vault, throttle, postOffice } = deps;
  throttle.takeCode(await attemptOf(deps, request, session.email));
  const secret = await openCandidate(vault, session, candidate);
  const now = new Date();
  const step = stepOfCode(secret, code, now.getTime());
  if (step === undefined) throw wrong("code", "is not the code that the new app shows now");
  const entered = await transaction(pool, async (tx) => {
    const person = await lockPerson(tx, session);
    if (person === undefined) throw uselessCandidate();
    const totpSecretSealed = vault.seal(secret, totpSealContext(person));
    await replaceTotpSecret(tx, person, { totpSecretSealed, step, now });
    return endOthers(tx, deps, request, session, "totp.replaced");
  });
  postOffice.post(async () => authenticatorChangedLetter(session.email, session.name));
  return entered;
}

/** What is proved here guards everything else, so that a session alone is not enough to change it. */
async function requireProof(
  deps: PasswordDeps,
  request: FastifyRequest,
  session: Session,
  proof: SecondFactor,
): Promise<void> {
  // Whoever has stolen a session has its browser's key with it, which must not buy them more guesses.
  deps.throttle.takeCode({ account: session.email, ip: request.ip, knownDevice: undefined });
  if (await isSecondFactor(deps, request, session, proof)) return;
  await audit(deps.pool, deps.clock, {
    ...session,
    action: "second_factor.failed",
    address: request.ip,
  });
  throw proof.recoveryCode === undefined
    ? wrong("code", "is wrong or has been used: wait for the next one")
    : wrong("recoveryCode", "is wrong or has been used");
}

async function endOthers(
  tx: Connection,
  deps: PasswordDeps,
  request: FastifyRequest,
  session: Session,
  action: string,
): Promise<Entered> {
  await deleteSessions(tx, session);
  await audit(tx, deps.clock, { ...session, action, address: request.ip });
  const token = await openSession(tx, deps, request, { ...session, state: "Full" });
  return { token, state: "Full" };
}

async function openCandidate(vault: Vault, session: Session, candidate: string): Promise<string> {
  const opened = await vault
    .unseal(Buffer.from(candidate, "base64url"), candidateSealContext(session))
    .catch(() => undefined);
  const [until, secret] = String(opened ?? "").split(" ");
  if (secret === undefined || Number(until) < Date.now()) throw uselessCandidate();
  return secret;
}

/** A session is replaced with every confirmation, so that a candidate is good for one. */
const candidateSealContext = ({ personId, sessionId }: Session): string =>
  `people/${personId}/totp-candidate/${sessionId}`;

const wrong = (field: string, message: string): Failure =>
  new Failure("INVALID_REQUEST", { errors: [{ field, message }] });

const removed = (): Failure => new Failure("AUTHENTICATION_FAILED", { message: "Log in first" });

const uselessCandidate = (): Failure =>
  new Failure("UNABLE_TO_LOCATE_RECORD", {
    message: "The new secret has expired or was used; begin again",
  });
