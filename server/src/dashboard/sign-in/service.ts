import type { FastifyRequest } from "fastify";
import type { Connection } from "../../db/pool.ts";
import { transaction } from "../../db/transaction.ts";
import { Failure } from "../../foundation/failure.ts";
import type { AnswerLog } from "../../http/answer-log.ts";
import type { Vault } from "../../keys/vault.ts";
import { audit } from "../audit/service.ts";
import { findPersonByEmail, lockPerson, type Person, saveTotpStep } from "../people/store.ts";
import { openSession, type SessionDeps } from "../sessions/service.ts";
import type { Session, SessionState } from "../sessions/session.ts";
import { deleteSession } from "../sessions/store.ts";
import { isPassword } from "./passwords.ts";
import { readRecoveryCode } from "./recovery-codes.ts";
import { countRecoveryCodes, isKnownDevice, rememberDevice, useRecoveryCode } from "./store.ts";
import type { Attempt, Throttle } from "./throttle.ts";
import { stepOfCode, totpSealContext } from "./totp.ts";

export interface SignInDeps extends SessionDeps {
  vault: Vault;
  throttle: Throttle;
  answers: AnswerLog;
}

export interface Entered {
  token: string;
  state: SessionState;
}

/** A code of the app, or one of the codes for whoever has lost it. */
export interface SecondFactor {
  code?: string | undefined;
  recoveryCode?: string | undefined;
}

/** Checks a password. The answer and its time are the same whether an address is known or not. */
export async function logIn(
  deps: SignInDeps,
  request: FastifyRequest,
  { email, password }: { email: string; password: string },
): Promise<Entered> {
  const { pool, throttle } = deps;
  const attempt = await attemptOf(deps, request, email);
  const person = await findPersonByEmail(pool, email);
  const isRight = await throttle.tryPassword(attempt, () =>
    isPassword(password, person?.passwordHash, attempt),
  );
  if (person === undefined || !isRight) {
    if (person !== undefined) noteInBackground(deps, request, person);
    throw wrongPassword();
  }
  const state = person.totpEnrolledAt === null ? "EnrolTotp" : "Totp";
  const token = await transaction(pool, async (tx) => {
    // A new password ends all sessions, also one whose old password was right a moment ago.
    const now = await lockPerson(tx, person);
    if (now?.passwordHash !== person.passwordHash) throw wrongPassword();
    return openSession(tx, deps, request, { ...person, state });
  });
  return { token, state };
}

const wrongPassword = (): Failure =>
  new Failure("AUTHENTICATION_FAILED", { message: "The address or the password is wrong" });

/** The second step of signing in. Whoever has used a recovery code hears how many there still are. */
export async function passSecondFactor(
  deps: SignInDeps,
  request: FastifyRequest,
  session: Session,
  given: SecondFactor,
): Promise<Entered & { recoveryCodesLeft?: number }> {
  deps.throttle.takeCode(await attemptOf(deps, request, session.email));
  if (!(await isSecondFactor(deps, request, session, given))) {
    await noteFailure(deps, request, session, "code");
    throw new Failure("AUTHENTICATION_FAILED", {
      message: "The code is wrong or has been used: wait for the next one",
    });
  }
  const entered = await completeSignIn(deps, request, session, "signed_in");
  if (given.recoveryCode === undefined) return entered;
  return { ...entered, recoveryCodesLeft: await countRecoveryCodes(deps.pool, session) };
}

/** Uses up what was given as the second factor, if it is right. Whoever asks has counted the guess. */
export async function isSecondFactor(
  deps: SignInDeps,
  request: FastifyRequest,
  session: Session,
  given: SecondFactor,
): Promise<boolean> {
  return transaction(deps.pool, async (tx) => {
    const person = await lockPerson(tx, session);
    if (person === undefined) return false;
    return given.recoveryCode === undefined
      ? useCode(tx, deps, person, given.code ?? "")
      : useRecovery(tx, deps, request, person, given.recoveryCode);
  });
}

/** A code counts once: whoever holds the person's lock sees which step was used last. */
export async function useCode(
  tx: Connection,
  { vault }: SignInDeps,
  person: Person,
  code: string,
): Promise<boolean> {
  if (person.totpSecretSealed === null) return false;
  const secret = await vault.unseal(person.totpSecretSealed, totpSealContext(person));
  const now = new Date();
  const step = stepOfCode(secret.toString(), code, now.getTime());
  if (step === undefined || step <= person.totpLastStep) return false;
  await saveTotpStep(tx, person, step, now);
  return true;
}

async function useRecovery(
  tx: Connection,
  deps: SignInDeps,
  { ip }: FastifyRequest,
  person: Person,
  text: string,
): Promise<boolean> {
  const hashes = deps.hashes.all("recovery", `${person.personId} ${readRecoveryCode(text)}`);
  if (!(await useRecoveryCode(tx, person, hashes, new Date()))) return false;
  await audit(tx, deps.clock, { ...person, action: "recovery_code.used", address: ip });
  return true;
}

/** Lets a person in all the way, and remembers the browser. */
export async function completeSignIn(
  deps: SignInDeps,
  request: FastifyRequest,
  session: Session,
  action: string,
): Promise<Entered> {
  const token = await transaction(deps.pool, async (tx) => {
    const { deviceToken } = request;
    if (deviceToken !== undefined) {
      await rememberDevice(tx, session, deps.hashes.current("device", deviceToken), new Date());
    }
    await audit(tx, deps.clock, { ...session, action, address: request.ip });
    return openSession(tx, deps, request, { ...session, state: "Full" });
  });
  return { token, state: "Full" };
}

export async function logOut(deps: SignInDeps, request: FastifyRequest): Promise<void> {
  const { session } = request;
  if (session === undefined) return;
  await deleteSession(deps.pool, session, session.sessionId);
  deps.streams.recheck(session.personId);
  if (session.state !== "Full") return;
  await audit(deps.pool, deps.clock, { ...session, action: "signed_out", address: request.ip });
}

/** Who tries, as far as their budget is concerned. */
export async function attemptOf(
  { pool, hashes }: SignInDeps,
  { ip, deviceToken = "" }: FastifyRequest,
  account: string,
): Promise<Attempt> {
  const isKnown = await isKnownDevice(pool, account, hashes.all("device", deviceToken));
  const knownDevice = isKnown ? hashes.current("device", deviceToken) : undefined;
  return { account, ip, knownDevice };
}

/** Nobody waits for it, or the wait would tell that the address is known. */
function noteInBackground(deps: SignInDeps, request: FastifyRequest, person: Person): void {
  noteFailure(deps, request, person, "password").catch((error: unknown) =>
    deps.answers.failed(request, error, "a wrong password could not be put on record"),
  );
}

export function noteFailure(
  { pool, clock }: SignInDeps,
  { ip }: FastifyRequest,
  person: { organizationId: string; personId: string },
  what: "password" | "code",
): Promise<string> {
  const deed = { ...person, action: "sign_in.failed", detail: { wrong: what }, address: ip };
  return audit(pool, clock, deed);
}
