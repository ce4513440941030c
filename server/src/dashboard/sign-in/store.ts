import type { Connection } from "../../db/pool.ts";
import type { PersonKey } from "../people/store.ts";

export async function replaceRecoveryCodes(
  db: Connection,
  { organizationId, personId }: PersonKey,
  hashes: readonly string[],
): Promise<void> {
  await db.query("delete from recovery_codes where organization_id = $1 and person_id = $2", [
    organizationId,
    personId,
  ]);
  await db.query(
    `insert into recovery_codes (organization_id, person_id, code_hash)
     select $1, $2, unnest($3::text[])`,
    [organizationId, personId, hashes],
  );
}

/** Uses a code up; false when there is no such code any more. */
export async function useRecoveryCode(
  db: Connection,
  { organizationId, personId }: PersonKey,
  hashes: readonly string[],
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update recovery_codes set used_at = $4
      where organization_id = $1 and person_id = $2 and code_hash = any($3) and used_at is null`,
    [organizationId, personId, hashes, now],
  );
  return rowCount === 1;
}

/** How many codes a person has that were not used yet. */
export async function countRecoveryCodes(
  db: Connection,
  { organizationId, personId }: PersonKey,
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from recovery_codes
      where organization_id = $1 and person_id = $2 and used_at is null`,
    [organizationId, personId],
  );
  return rows[0]?.count ?? 0;
}

const MAX_DEVICES = 20;

/** Notes that a person has signed in from a browser; the latest few are remembered. */
export async function rememberDevice(
  db: Connection,
  { organizationId, personId }: PersonKey,
  deviceHash: string,
  now: Date,
): Promise<void> {
  await db.query(
    `insert into person_devices (organization_id, person_id, device_hash, seen_at) values ($1, $2, $3, $4)
     on conflict (organization_id, person_id, device_hash) do update set seen_at = excluded.seen_at`,
    [organizationId, personId, deviceHash, now],
  );
  await db.query(
    `delete from person_devices where organization_id = $1 and person_id = $2 and device_hash not in (
       select device_hash from person_devices where organization_id = $1 and person_id = $2
        order by seen_at desc limit ${MAX_DEVICES})`,
    [organizationId, personId],
  );
}

/** Whether somebody of that address has signed in from a browser before. */
export async function isKnownDevice(
  db: Connection,
  email: string,
  deviceHashes: readonly string[],
): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from people p join person_devices d using (organization_id, person_id)
      where p.email = $1 and p.removed_at is null and d.device_hash = any($2) limit 1`,
    [email, deviceHashes],
  );
  return rowCount === 1;
}
