import type { Connection } from "../db/pool.ts";
import type { DocumentIdType } from "./port.ts";
import type { Details } from "./submission.ts";

/** A verification that is to be submitted or asked after now, as far as that needs to know it. */
export interface Review {
  organizationId: string;
  kycToken: string;
  idType: DocumentIdType | null;
  details: Details;
  providerId: string | null;
  dueAt: Date;
  attempts: number;
}

/** In real time: longer than any provider is waited for. */
const LEASE = "interval '30 seconds'";

/** Leases what is due to one worker. What a dead worker had is due again when its lease is over. */
export async function takeDue(
  db: Connection,
  provider: string,
  now: Date,
  limit: number,
): Promise<Review[]> {
  const { rows } = await db.query<Review>(
    `update kyc_verifications v set lease_until = clock_timestamp() + ${LEASE}
       from (select organization_id, kyc_token from kyc_verifications
              where provider = $1 and due_at <= $2
                and (lease_until is null or lease_until <= clock_timestamp())
              order by due_at limit $3 for no key update skip locked) as due
      where v.organization_id = due.organization_id and v.kyc_token = due.kyc_token
     returning v.organization_id as "organizationId", v.kyc_token as "kycToken", v.id_type as "idType",
               v.details, v.provider_id as "providerId", v.due_at as "dueAt", v.attempts`,
    [provider, now, limit],
  );
  return rows;
}

/** How long until the next falls due that nobody has leased. */
export async function findDueInMs(
  db: Connection,
  provider: string,
  now: Date,
): Promise<number | undefined> {
  const { rows } = await db.query<{ dueAt: Date }>(
    `select due_at as "dueAt" from kyc_verifications
      where provider = $1 and due_at is not null
        and (lease_until is null or lease_until <= clock_timestamp())
      order by due_at limit 1`,
    [provider],
  );
  return rows[0] === undefined ? undefined : rows[0].dueAt.getTime() - now.getTime();
}

interface NextLook {
  providerId: string | null;
  dueAt: Date;
  attempts: number;
}

/** Ends the lease. What was decided meanwhile is not looked at again. */
export async function reschedule(
  db: Connection,
  { organizationId, kycToken }: Pick<Review, "organizationId" | "kycToken">,
  { providerId, dueAt, attempts }: NextLook,
): Promise<void> {
  await db.query(
    `update kyc_verifications
        set provider_id = coalesce($3, provider_id), attempts = $5, lease_until = null,
            due_at = case when status in ('Initiated', 'Pending') then $4::timestamptz end
      where organization_id = $1 and kyc_token = $2`,
    [organizationId, kycToken, providerId, dueAt, attempts],
  );
}
