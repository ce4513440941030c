import type { Pool } from "../../db/pool.ts";
import { transaction } from "../../db/transaction.ts";
import type { Clock } from "../../foundation/clock.ts";
import { Failure } from "../../foundation/failure.ts";
import { isId } from "../../foundation/ids.ts";
import { may, type Role } from "../access/roles.ts";
import { audit } from "../audit/service.ts";
import { endInvitationsBy, endResetLinks } from "../onboarding/store.ts";
import type { OpenStreams } from "../sessions/open-streams.ts";
import type { Session } from "../sessions/session.ts";
import {
  listPeople,
  lockOwners,
  lockPerson,
  type Person,
  type PersonRow,
  removePerson,
  saveRole,
} from "./store.ts";

export interface PeopleDeps {
  pool: Pool;
  clock: Clock;
  streams: OpenStreams;
}

export function readPeople({ pool }: PeopleDeps, organizationId: string): Promise<PersonRow[]> {
  return listPeople(pool, organizationId);
}

/**
 * Gives a person another role. It counts from their next request on. Whoever may not invite people any more has not
 * invited anybody who is yet to come.
 */
export async function changeRole(
  deps: PeopleDeps,
  by: Session,
  personId: string,
  role: Role,
  address: string,
): Promise<PersonRow> {
  await changePerson(deps, by, personId, role === "Owner", async (tx, person) => {
    await saveRole(tx, person, role);
    if (!may(role, "people")) await endInvitationsBy(tx, person, new Date());
    const detail = { from: person.role, to: role };
    await audit(tx, deps.clock, {
      ...by,
      action: "person.role_changed",
      subject: personId,
      detail,
      address,
    });
  });
  const people = await readPeople(deps, by.organizationId);
  const changed = people.find((person) => person.personId === personId);
  return changed ?? Promise.reject(unknownPerson());
}

/** Removes a person, who is signed out at once. */
export async function dismissPerson(
  deps: PeopleDeps,
  by: Session,
  personId: string,
  address: string,
): Promise<void> {
  await changePerson(deps, by, personId, false, async (tx, person) => {
    const now = new Date();
    await removePerson(tx, person, now);
    await endResetLinks(tx, person, now);
    await endInvitationsBy(tx, person, now);
    await audit(tx, deps.clock, {
      ...by,
      action: "person.removed",
      subject: personId,
      detail: { email: person.email },
      address,
    });
  });
  deps.streams.recheck(personId);
}

type Change = (tx: Parameters<typeof lockPerson>[0], person: Person) => Promise<void>;

/** Refuses to leave an organization without an owner: nobody in it could make another one. */
async function changePerson(
  { pool }: PeopleDeps,
  { organizationId }: Session,
  personId: string,
  staysOwner: boolean,
  change: Change,
): Promise<void> {
  if (!isId("per", personId)) throw unknownPerson();
  await transaction(pool, async (tx) => {
    const owners = await lockOwners(tx, organizationId);
    const person = await lockPerson(tx, { organizationId, personId });
    if (person === undefined) throw unknownPerson();
    if (!staysOwner && owners.length === 1 && owners[0] === personId) {
      throw new Failure("TRANSACTION_NOT_PERMITTED", {
        message: "The last owner of an organization stays its owner",
      });
    }
    await change(tx, person);
  });
}

const unknownPerson = (): Failure => new Failure("UNABLE_TO_LOCATE_RECORD");
