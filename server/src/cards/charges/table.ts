import { textArray, timeArray } from "../../db/arrays.ts";
import { copyInto } from "../../db/copy.ts";
import { keyColumns, type Load, type Owned, type Table } from "../../engine/table.ts";
import { type Charge, MAX_TRIED } from "./charge.ts";

/** Every column of a charge under the name it has in the code. */
export const CHARGE_COLUMNS = `
  c.organization_id as "organizationId", c.charge_id as "chargeId", c.card_id as "cardId",
  c.account_id as "accountId", c.transaction_id as "transactionId", c.amount_minor as "amountMinor",
  c.currency, c.status, c.created_at as "createdAt", c.collected_at as "collectedAt"`;

export const crossBorderCharges: Table<Charge> = {
  name: "cross_border_charges",
  idOf: (charge) => charge.chargeId,
  insert: copyInto<Owned<Charge>>("cross_border_charges", {
    organization_id: (c) => c.organizationId,
    charge_id: (c) => c.chargeId,
    card_id: (c) => c.cardId,
    account_id: (c) => c.accountId,
    transaction_id: (c) => c.transactionId,
    amount_minor: (c) => c.amountMinor,
    currency: (c) => c.currency,
    status: (c) => c.status,
    created_at: (c) => c.createdAt,
    collected_at: (c) => c.collectedAt,
  }),
  update: (rows) => ({
    name: "cross_border_charges_update",
    text: `
      update cross_border_charges c set status = k.status, collected_at = k.collected_at
        from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[])
             as k(organization_id, charge_id, status, collected_at)
       where c.organization_id = k.organization_id and c.charge_id = k.charge_id`,
    values: [
      ...idColumns(rows),
      textArray(rows.map((c) => c.status)),
      timeArray(rows.map((c) => c.collectedAt)),
    ],
  }),
};

const idColumns = (rows: Owned<Charge>[]): string[] => [
  textArray(rows.map((c) => c.organizationId)),
  textArray(rows.map((c) => c.chargeId)),
];

/** The oldest charges that a card still owes. */
export const pendingChargesOfCard: Load<Charge> = {
  table: crossBorderCharges,
  keyOf: (charge) => charge.cardId,
  statement: (keys) => ({
    name: "cross_border_charges_pending_of_card",
    text: `
      select ${CHARGE_COLUMNS} from unnest($1::text[], $2::text[]) as k(organization_id, id)
       cross join lateral (select * from cross_border_charges
         where organization_id = k.organization_id and card_id = k.id and status = 'Pending'
         order by charge_id limit ${MAX_TRIED}) c`,
    values: keyColumns(keys),
  }),
};

/** The oldest charges that an account still has to pay, for whichever of its cards. */
export const pendingChargesOfAccount: Load<Charge> = {
  table: crossBorderCharges,
  keyOf: (charge) => charge.accountId,
  statement: (keys) => ({
    name: "cross_border_charges_pending_of_account",
    text: `
      select ${CHARGE_COLUMNS} from unnest($1::text[], $2::text[]) as k(organization_id, id)
       cross join lateral (select * from cross_border_charges
         where organization_id = k.organization_id and account_id = k.id and status = 'Pending'
         order by charge_id limit ${MAX_TRIED}) c`,
    values: keyColumns(keys),
  }),
};
