import type { Connection } from "../../db/pool.ts";
import { type Page, rowsFor } from "../../http/pagination.ts";

export interface AuditRow {
  auditId: string;
  at: Date;
  actor: string;
  /** Null where it was no person. */
  personName: string | null;
  action: string;
  subject: string | null;
  detail: Record<string, unknown>;
  address: string | null;
  outcome: string | null;
}

/** What was done in an organization, latest first. */
export async function listAudit(
  db: Connection,
  organizationId: string,
  page: Page,
  personId: string | undefined,
): Promise<AuditRow[]> {
  const ofPerson = personId === undefined ? "" : "and actor = $4";
  const { rows } = await db.query<AuditRow>(
    `select a.audit_id as "auditId", a.created_at as at, a.actor, p.name as "personName", a.action,
            coalesce(a.subject, a.detail ->> 'cardId') as subject, a.detail, a.address, a.outcome
       from (select * from audit_log
              where organization_id = $1 and audit_id < $2 ${ofPerson}
              order by audit_id desc limit $3) a
       left join people p on p.organization_id = $1 and p.person_id = a.actor
      order by a.audit_id desc`,
    [
      organizationId,
      page.cursor ?? "aud_~",
      rowsFor(page),
      ...(personId === undefined ? [] : [personId]),
    ],
  );
  return rows;
}

/** Notes how something ended that was put on record before it began. */
export async function saveOutcome(
  db: Connection,
  auditId: string,
  outcome: string,
  subject: string | undefined,
): Promise<void> {
  await db.query(
    "update audit_log set outcome = $2, subject = coalesce(subject, $3) where audit_id = $1",
    [auditId, outcome, subject ?? null],
  );
}
