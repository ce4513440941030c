import type { FastifyRequest } from "fastify";
import type { Connection } from "../../db/pool.ts";
import { transaction } from "../../db/transaction.ts";
import { Failure } from "../../foundation/failure.ts";
import { lockPerson, type PersonKey, saveTotpSecret } from "../people/store.ts";
import type { Session } from "../sessions/session.ts";
import { newRecoveryCodes } from "./recovery-codes.ts";
import { attemptOf, completeSignIn, type Entered, type SignInDeps, useCode } from "./service.ts";
import { replaceRecoveryCodes } from "./store.ts";
import { describeTotp, newTotpSecret, totpSealContext } from "./totp.ts";

/** The secret to scan. Asked twice it is the same, so that what was scanned first stays right. */
export async function beginEnrolment(deps: SignInDeps, session: Session) {
  const { pool, vault } = deps;
  const secret = await transaction(pool, async (tx) => {
    const person = await lockPerson(tx, session);
    if (person === undefined || person.totpEnrolledAt !== null) throw alreadyEnrolled();
    if (person.totpSecretSealed !== null) {
      return String(await vault.unseal(person.totpSecretSealed, totpSealContext(person)));
    }
    const fresh = newTotpSecret();
    await saveTotpSecret(tx, person, vault.seal(fresh, totpSealContext(person)));
    return fresh;
  });
  return describeTotp(secret, session.email);
}

/** The first code proves that the app has the secret; from now on it is asked for. */
export async function confirmEnrolment(
  deps: SignInDeps,
  request: FastifyRequest,
  session: Session,
  code: string,
): Promise<Entered & { recoveryCodes: string[] }> {
  deps.throttle.takeCode(await attemptOf(deps, request, session.email));
  const recoveryCodes = newRecoveryCodes();
  await transaction(deps.pool, async (tx) => {
    const person = await lockPerson(tx, session);
    if (person === undefined || person.totpEnrolledAt !== null) throw alreadyEnrolled();
    if (!(await useCode(tx, deps, person, code))) {
      const message = "is not the code that the app shows now";
      throw new Failure("INVALID_REQUEST", { errors: [{ field: "code", message }] });
    }
    await keepRecoveryCodes(tx, deps, person, recoveryCodes);
  });
  const entered = await completeSignIn(deps, request, session, "totp.enrolled");
  return { ...entered, recoveryCodes };
}

/** These count from now on, and none that were given out before. */
export async function keepRecoveryCodes(
  tx: Connection,
  { hashes }: SignInDeps,
  person: PersonKey,
  codes: readonly string[],
): Promise<void> {
  const all = codes.map((each) => hashes.current("recovery", `${person.personId} ${each}`));
  await replaceRecoveryCodes(tx, person, all);
}

const alreadyEnrolled = (): Failure =>
  new Failure("TRANSACTION_NOT_PERMITTED", { message: "A second factor is set up already" });
