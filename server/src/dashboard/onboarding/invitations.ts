import { transaction } from "../../db/transaction.ts";
import { Failure } from "../../foundation/failure.ts";
import { isId } from "../../foundation/ids.ts";
import { may, type Role } from "../access/roles.ts";
import { audit } from "../audit/service.ts";
import { invitationLetter, knownAddressLetter } from "../mail/letters.ts";
import { findPersonByEmail, listPeople, lockPerson } from "../people/store.ts";
import type { Session } from "../sessions/session.ts";
import { makeLink } from "./links.ts";
import { type OnboardingDeps, registrationUrl, requireMail } from "./service.ts";
import { type InvitationRow, listInvitations, withdrawInvitation } from "./store.ts";

const MAX_OPEN = 100;
const MAX_PEOPLE = 500;

export interface Invited {
  email: string;
  name: string;
  role: Role;
}

export function readInvitations(
  { pool }: OnboardingDeps,
  organizationId: string,
): Promise<InvitationRow[]> {
  return listInvitations(pool, organizationId, new Date(), MAX_OPEN);
}

/** Sends a link to somebody who is to join. Whether other organizations know them is not told. */
export async function invite(
  deps: OnboardingDeps,
  by: Session,
  { email, name, role }: Invited,
  address: string,
): Promise<InvitationRow> {
  const { pool, postOffice, throttle, addresses } = deps;
  const { organizationId, personId: invitedBy } = by;
  requireMail(postOffice);
  const known = await findPersonByEmail(pool, email);
  if (known?.organizationId === organizationId) {
    throw refuse("This person belongs to your organization already");
  }
  const open = await readInvitations(deps, organizationId);
  if (open.length >= MAX_OPEN) {
    throw refuse(`At most ${MAX_OPEN} invitations may be open at once`);
  }
  const people = await listPeople(pool, organizationId);
  if (people.length + open.length >= MAX_PEOPLE) {
    throw refuse(`At most ${MAX_PEOPLE} people may belong to an organization`);
  }
  if (!throttle.mayWriteTo(email, "Invitation")) {
    throw refuse("This person has been sent enough letters lately");
  }
  const link = await transaction(pool, async (tx) => {
    // The guard has asked a moment ago: they may have been removed since.
    const inviter = await lockPerson(tx, by);
    if (inviter === undefined || !may(inviter.role, "people")) {
      throw new Failure("UNAUTHORIZED", { message: "Your role does not allow this" });
    }
    for (const earlier of open.filter((each) => each.email === email)) {
      await withdrawInvitation(tx, organizationId, earlier.invitationId, new Date());
    }
    const about = { email, name, role, organizationId, invitedBy };
    const made = await makeLink(tx, deps, {
      ...about,
      kind: "Invitation",
      personId: null,
      organizationName: null,
    });
    const detail = { email, role };
    const deed = { ...by, action: "person.invited", subject: made.linkId, detail, address };
    await audit(tx, deps.clock, deed);
    return made;
  });
  postOffice.post(async () =>
    known === undefined
      ? invitationLetter(
          email,
          { name, inviter: by.name, organization: by.organizationName, role },
          registrationUrl(addresses, link.token),
        )
      : knownAddressLetter(email, known.name, `${addresses.dashboard}/log-in`),
  );
  const { linkId: invitationId, expiresAt } = link;
  return { invitationId, email, name, role, invitedBy: by.name, expiresAt };
}

export async function uninvite(
  { pool, clock }: OnboardingDeps,
  by: Session,
  invitationId: string,
  address: string,
): Promise<void> {
  const isWithdrawn =
    isId("lnk", invitationId) &&
    (await withdrawInvitation(pool, by.organizationId, invitationId, new Date()));
  if (!isWithdrawn) throw new Failure("UNABLE_TO_LOCATE_RECORD");
  await audit(pool, clock, {
    ...by,
    action: "person.uninvited",
    subject: invitationId,
    address,
  });
}

const refuse = (message: string): Failure => new Failure("TRANSACTION_NOT_PERMITTED", { message });
