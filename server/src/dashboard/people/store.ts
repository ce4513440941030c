import type { Connection } from "../../db/pool.ts";
import type { Role } from "../access/roles.ts";

export interface PersonKey {
  organizationId: string;
  personId: string;
}

/** A person as signing in needs them. */
export interface Person extends PersonKey {
  email: string;
  name: string;
  role: Role;
  passwordHash: string;
  totpSecretSealed: Buffer | null;
  totpEnrolledAt: Date | null;
  totpLastStep: bigint;
  organizationName: string;
}

const PERSON = `
  select p.organization_id as "organizationId", p.person_id as "personId", p.email, p.name, p.role,
         p.password_hash as "passwordHash", p.totp_secret_sealed as "totpSecretSealed",
         p.totp_enrolled_at as "totpEnrolledAt", p.totp_last_step as "totpLastStep",
         o.name as "organizationName"
    from people p join organizations o using (organization_id)`;

export async function findPersonByEmail(
  db: Connection,
  email: string,
): Promise<Person | undefined> {
  const { rows } = await db.query<Person>(`${PERSON} where p.email = $1 and p.removed_at is null`, [
    email,
  ]);
  return rows[0];
}

/** Locks the person, so that whatever must happen once happens once. */
export async function lockPerson(
  db: Connection,
  { organizationId, personId }: PersonKey,
): Promise<Person | undefined> {
  const { rows } = await db.query<Person>(
    `${PERSON} where p.organization_id = $1 and p.person_id = $2 and p.removed_at is null
      for no key update of p`,
    [organizationId, personId],
  );
  return rows[0];
}

export interface NewPerson extends PersonKey {
  email: string;
  name: string;
  role: Role;
  passwordHash: string;
  totpSecretSealed?: Buffer;
  now: Date;
}

/** False when the address belongs to somebody already. With a TOTP secret the person is enrolled at once. */
export async function insertPerson(db: Connection, person: NewPerson): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into people (organization_id, person_id, email, name, role, password_hash, totp_secret_sealed,
       totp_enrolled_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, case when $7::bytea is not null then $8::timestamptz end, $8)
     on conflict (email) where removed_at is null do nothing`,
    [
      person.organizationId,
      person.personId,
      person.email,
      person.name,
      person.role,
      person.passwordHash,
      person.totpSecretSealed ?? null,
      person.now,
    ],
  );
  return rowCount === 1;
}

export async function savePassword(
  db: Connection,
  { organizationId, personId }: PersonKey,
  passwordHash: string,
): Promise<void> {
  await db.query(
    "update people set password_hash = $3 where organization_id = $1 and person_id = $2",
    [organizationId, personId, passwordHash],
  );
}

export async function saveTotpSecret(
  db: Connection,
  { organizationId, personId }: PersonKey,
  totpSecretSealed: Buffer | null,
): Promise<void> {
  await db.query(
    "update people set totp_secret_sealed = $3 where organization_id = $1 and person_id = $2",
    [organizationId, personId, totpSecretSealed],
  );
}

/** Notes that the code of a step was used; the first one also completes the enrolment. */
export async function saveTotpStep(
  db: Connection,
  { organizationId, personId }: PersonKey,
  step: number,
  now: Date,
): Promise<void> {
  await db.query(
    `update people set totp_last_step = $3, totp_enrolled_at = coalesce(totp_enrolled_at, $4)
      where organization_id = $1 and person_id = $2`,
    [organizationId, personId, step, now],
  );
}

/** Puts another secret in the place of the one that counted, with the step whose code has proved it. */
export async function replaceTotpSecret(
  db: Connection,
  { organizationId, personId }: PersonKey,
  { totpSecretSealed, step, now }: { totpSecretSealed: Buffer; step: number; now: Date },
): Promise<void> {
  await db.query(
    `update people set totp_secret_sealed = $3, totp_last_step = $4, totp_enrolled_at = $5
      where organization_id = $1 and person_id = $2`,
    [organizationId, personId, totpSecretSealed, step, now],
  );
}

/** Since when a person has the second factor that they have now. */
export async function findTotpEnrolledAt(
  db: Connection,
  { organizationId, personId }: PersonKey,
): Promise<Date | null> {
  const { rows } = await db.query<{ at: Date | null }>(
    `select totp_enrolled_at as at from people where organization_id = $1 and person_id = $2`,
    [organizationId, personId],
  );
  return rows[0]?.at ?? null;
}

export interface PersonRow {
  personId: string;
  name: string;
  email: string;
  role: Role;
  totp: boolean;
  lastSeenAt: Date | null;
}

/** All of them: nobody who may come in is to be left out of sight. Invitations bound how many there are. */
export async function listPeople(db: Connection, organizationId: string): Promise<PersonRow[]> {
  const { rows } = await db.query<PersonRow>(
    `select person_id as "personId", name, email, role, totp_enrolled_at is not null as totp,
            last_seen_at as "lastSeenAt"
       from people where organization_id = $1 and removed_at is null order by person_id`,
    [organizationId],
  );
  return rows;
}

/** Locks all owners, in one order, so that two of them cannot remove each other at once. */
export async function lockOwners(db: Connection, organizationId: string): Promise<string[]> {
  const { rows } = await db.query<{ personId: string }>(
    `select person_id as "personId" from people
      where organization_id = $1 and role = 'Owner' and removed_at is null
      order by person_id for no key update`,
    [organizationId],
  );
  return rows.map(({ personId }) => personId);
}

export async function saveRole(
  db: Connection,
  { organizationId, personId }: PersonKey,
  role: Role,
): Promise<void> {
  await db.query("update people set role = $3 where organization_id = $1 and person_id = $2", [
    organizationId,
    personId,
    role,
  ]);
}

/** The row stays for the audit, without what could sign anybody in. */
export async function removePerson(
  db: Connection,
  { organizationId, personId }: PersonKey,
  now: Date,
): Promise<void> {
  await db.query(
    `update people set removed_at = $3, password_hash = '', totp_secret_sealed = null,
            totp_enrolled_at = null
      where organization_id = $1 and person_id = $2`,
    [organizationId, personId, now],
  );
  for (const table of ["recovery_codes", "person_devices", "person_sessions"]) {
    await db.query(`delete from ${table} where organization_id = $1 and person_id = $2`, [
      organizationId,
      personId,
    ]);
  }
}
