import { jsonArray, numberArray, textArray, timeArray } from "../../db/arrays.ts";
import { keyColumns, type Load, type Table } from "../../engine/table.ts";
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
  insert: (rows) => ({
    name: "wallet_adjustments_insert",
    text: `
      insert into wallet_adjustments (organization_id, reference, wallet_id, entry_id, amount_minor, currency,
        created_at)
      select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[],
        $7::timestamptz[])`,
    values: [
      textArray(rows.map((a) => a.organizationId)),
      textArray(rows.map((a) => a.reference)),
      textArray(rows.map((a) => a.walletId)),
      textArray(rows.map((a) => a.entryId)),
      numberArray(rows.map((a) => a.amountMinor)),
      textArray(rows.map((a) => a.currency)),
      timeArray(rows.map((a) => a.createdAt)),
    ],
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
  insert: (rows) => ({
    name: "audit_log_insert",
    text: `
      insert into audit_log (audit_id, organization_id, actor, action, detail, created_at)
      select k.audit_id, k.organization_id, 'operator', k.action, k.detail, k.at
        from unnest($1::text[], $2::text[], $3::text[], $4::jsonb[], $5::timestamptz[])
             as k(audit_id, organization_id, action, detail, at)`,
    values: [
      textArray(rows.map((d) => d.auditId)),
      textArray(rows.map((d) => d.organizationId)),
      textArray(rows.map((d) => d.action)),
      jsonArray(rows.map((d) => d.detail)),
      timeArray(rows.map((d) => d.at)),
    ],
  }),
};
