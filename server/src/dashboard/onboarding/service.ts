import type { FastifyRequest } from "fastify";
import type { Connection } from "../../db/pool.ts";
import { transaction } from "../../db/transaction.ts";
import { Failure } from "../../foundation/failure.ts";
import { newId } from "../../foundation/ids.ts";
import type { Addresses } from "../../http/addresses.ts";
import { foundOrganization } from "../../identity/organizations.ts";
import type { Vault } from "../../keys/vault.ts";
import { audit } from "../audit/service.ts";
import { knownAddressLetter, signUpLetter } from "../mail/letters.ts";
import type { PostOffice } from "../mail/post-office.ts";
import { findPersonByEmail, insertPerson } from "../people/store.ts";
import { openSession, type SessionDeps } from "../sessions/service.ts";
import { problemOfPassword } from "../sign-in/password-rules.ts";
import { hashPassword } from "../sign-in/passwords.ts";
import type { Throttle } from "../sign-in/throttle.ts";
import { makeLink } from "./links.ts";
import { consumeLink, findLink, type Link, type LinkKind } from "./store.ts";

export interface OnboardingDeps extends SessionDeps {
  vault: Vault;
  addresses: Addresses;
  postOffice: PostOffice;
  throttle: Throttle;
  config: SessionDeps["config"] & { isSandbox: boolean; signUp: boolean | undefined };
}

const REGISTRATIONS: readonly LinkKind[] = ["SignUp", "Invitation"];

/** Sends a link to whoever wants to found an organization. */
export function signUp(
  deps: OnboardingDeps,
  { organizationName, name, email }: Record<"organizationName" | "name" | "email", string>,
  ip: string,
): void {
  const { pool, postOffice, throttle, addresses } = deps;
  refuseClosedSignUp(deps);
  requireMail(postOffice);
  throttle.takeLetter(ip);
  postOffice.post(async () => {
    if (!throttle.mayWriteTo(email, "SignUp")) return undefined;
    const known = await findPersonByEmail(pool, email);
    if (known !== undefined) {
      return knownAddressLetter(email, known.name, `${addresses.dashboard}/log-in`);
    }
    const { token } = await makeLink(pool, deps, {
      kind: "SignUp",
      organizationId: null,
      personId: null,
      email,
      name,
      organizationName,
      role: "Owner",
      invitedBy: null,
    });
    return signUpLetter(email, name, organizationName, registrationUrl(addresses, token));
  });
}

function refuseClosedSignUp({ config }: OnboardingDeps): void {
  if (config.signUp ?? config.isSandbox) return;
  throw new Failure("UNAUTHORIZED", { message: "Sign-up is closed here: ask to be invited" });
}

export const registrationUrl = (
  { dashboard }: Pick<Addresses, "dashboard">,
  token: string,
): string => `${dashboard}/registration?token=${token}`;

/** Refuses where no letter can be sent, rather than say that one was. */
export function requireMail(postOffice: PostOffice): void {
  if (postOffice.isOpen) return;
  throw new Failure("UNAUTHORIZED", {
    message: "Mail is not set up here, so that no link can be sent: ask the operator",
  });
}

/** What a link is for, without using it up. */
export async function readRegistration(deps: OnboardingDeps, token: string): Promise<Link> {
  const hashes = deps.hashes.all("link", token);
  const link = await findLink(deps.pool, hashes, REGISTRATIONS, new Date());
  if (link === undefined) throw uselessLink();
  // It may have been sent while sign-up was open.
  if (link.kind === "SignUp") refuseClosedSignUp(deps);
  return link;
}

/** Registers the holder of a link as a person; a sign-up also founds the organization. Gives a session's token. */
export async function register(
  deps: OnboardingDeps,
  request: FastifyRequest,
  { token, password, name }: { token: string; password: string; name?: string | undefined },
): Promise<string> {
  const expected = await readRegistration(deps, token);
  refuseWeakPassword(password, { ...expected, name: name ?? expected.name });
  const passwordHash = await hashPassword(password, request);
  return transaction(deps.pool, async (tx) => {
    const hashes = deps.hashes.all("link", token);
    const link = await consumeLink(tx, hashes, REGISTRATIONS, new Date());
    if (link === undefined) throw uselessLink();
    const { email, role } = link;
    const now = new Date();
    const personId = newId("per", now.getTime());
    const organizationId = link.organizationId ?? (await found(tx, deps, link, personId, request));
    const person = { organizationId, personId, email, role, name: name ?? link.name };
    if (!(await insertPerson(tx, { ...person, passwordHash, now }))) throw uselessLink();
    await audit(tx, deps.clock, {
      ...person,
      action: "person.registered",
      subject: personId,
      detail: { role, by: link.kind },
      address: request.ip,
    });
    return openSession(tx, deps, request, { organizationId, personId, state: "EnrolTotp" });
  });
}

async function found(
  tx: Connection,
  deps: OnboardingDeps,
  { organizationName }: Link,
  personId: string,
  { ip }: FastifyRequest,
): Promise<string> {
  const { organizationId } = await foundOrganization(
    tx,
    deps,
    {
      name: organizationName,
      // In production the operator decides which organizations may decide their purchases themselves.
      customerManaged: deps.config.isSandbox,
      defaultScopes: ["CardAPIs"],
      revealable: true,
    },
    { actor: personId, address: ip },
  );
  return organizationId;
}

export function refuseWeakPassword(
  password: string,
  known: Parameters<typeof problemOfPassword>[1],
): void {
  const problem = problemOfPassword(password, known);
  if (problem === undefined) return;
  throw new Failure("INVALID_REQUEST", { errors: [{ field: "password", message: problem }] });
}

export const uselessLink = (): Failure =>
  new Failure("UNABLE_TO_LOCATE_RECORD", {
    message: "The link has been used, has expired or is not complete",
  });
