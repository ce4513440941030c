import type { Connection, Pool } from "../../db/pool.ts";
import { searchInTurn } from "../../db/searches.ts";
import type { Clock } from "../../foundation/clock.ts";
import { codes } from "../../foundation/codes.ts";
import { newId } from "../../foundation/ids.ts";
import type { Ok } from "../../http/envelope.ts";
import { type Page, pageOf } from "../../http/pagination.ts";
import { writeAudit } from "../../identity/store.ts";
import { type AuditRow, listAudit } from "./store.ts";

/** What a person did. */
export interface Deed {
  organizationId: string;
  personId: string;
  action: string;
  subject?: string | undefined;
  detail?: Record<string, unknown>;
  address: string;
}

/** Puts a deed on record. Gives the id of the entry. */
export async function audit(
  db: Connection,
  clock: Clock,
  { organizationId, personId, action, subject, detail = {}, address }: Deed,
): Promise<string> {
  const at = clock.now();
  const auditId = newId("aud", at.getTime());
  const deed = { auditId, organizationId, actor: personId, action, detail, at, subject, address };
  await writeAudit(db, deed);
  return auditId;
}

export async function readAudit(
  { pool }: { pool: Pool },
  organizationId: string,
  { limit, cursor, personId }: Page & { personId?: string | undefined },
): Promise<Ok<ReturnType<typeof entryOf>[]>> {
  const page = { limit, cursor };
  const rows = await searchInTurn(pool, organizationId, () =>
    listAudit(pool, organizationId, page, personId),
  );
  return pageOf(rows, page, ({ auditId }) => auditId, entryOf);
}

function entryOf({ auditId, at, actor, personName, action, subject, ...row }: AuditRow) {
  const person = personName === null ? null : { personId: actor, name: personName };
  const detail = {
    ...row.detail,
    ...(row.outcome === null ? {} : { outcome: row.outcome }),
    ...(person === null ? { actor } : {}),
  };
  return {
    auditId,
    at: at.toISOString(),
    person,
    action,
    subject,
    detail,
    address: row.address,
    outcome: outcomeOf(row.outcome),
  };
}

/** How it ended, in words. Null where only what was done is on record, or nobody knows how it ended. */
function outcomeOf(outcome: string | null) {
  const known = Object.values(codes).find(({ code }) => code === outcome);
  if (known === undefined) return null;
  const { code, message, finality } = known;
  return { code, message, finality };
}
