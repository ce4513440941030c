import { copyInto, json } from "../../db/copy.ts";
import type { Connection } from "../../db/pool.ts";
import { keyColumns, type Load, type Owned, type Table } from "../../engine/table.ts";
import type { Currency } from "../../foundation/currencies.ts";

/** What an operator put into a wallet, or took out of it. */
export interface Adjustment {
  reference: string;
  walletId: string;
  entryId: string;
  /** Above zero: money in. */
  amountMinor: bigint;
  currency: Currency;
  createdAt: Date;
}

export const walletAdjustments: Table<Adjustment> = {
  name: "wallet_adjustments",
  idOf: (adjustment) => adjustment.reference,
  insert: copyInto<Owned<Adjustment>>("wallet_adjustments", {
    organization_id: (a) => a.organizationId,
    reference: (a) => a.reference,
    wallet_id: (a) => a.walletId,
    entry_id: (a) => a.entryId,
    amount_minor: (a) => a.amountMinor,
    currency: (a) => a.currency,
    created_at: (a) => a.createdAt,
  }),
};

export const adjustmentByReference: Load<Adjustment> = {
  table: walletAdjustments,
  keyOf: (adjustment) => adjustment.reference,
  statement: (keys) => ({
    name: "wallet_adjustments_by_reference",
    text: `
      select a.organization_id as "organizationId", a.reference, a.wallet_id as "walletId",
             a.entry_id as "entryId", a.amount_minor as "amountMinor", a.currency, a.created_at as "createdAt"
        from unnest($1::text[], $2::text[]) as k(organization_id, id)
       cross join lateral (select * from wallet_adjustments
         where organization_id = k.organization_id and reference = k.id limit 1) a`,
    values: keyColumns(keys),
  }),
};

/** The same outside a batch. */
export async function findAdjustment(
  db: Connection,
  organizationId: string,
  reference: string,
): Promise<Adjustment | undefined> {
  const { text, values } = adjustmentByReference.statement([{ organizationId, id: reference }]);
  const { rows } = await db.query<Adjustment>(text, values);
  return rows[0];
}

/** A deed of an operator, written with its effect. */
export interface Deed {
  auditId: string;
  action: string;
  detail: object;
  at: Date;
}

export const auditLog: Table<Deed> = {
  name: "audit_log",
  idOf: (deed) => deed.auditId,
  insert: copyInto<Owned<Deed>>("audit_log", {
    audit_id: (deed) => deed.auditId,
    organization_id: (deed) => deed.organizationId,
    actor: () => "operator",
    action: (deed) => deed.action,
    detail: (deed) => json(deed.detail),
    created_at: (deed) => deed.at,
  }),
};
