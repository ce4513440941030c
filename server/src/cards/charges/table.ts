import { numberArray, textArray, timeArray } from "../../db/arrays.ts";
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
  insert: (rows) => ({
    name: "cross_border_charges_insert",
    text: `
      insert into cross_border_charges (organization_id, charge_id, card_id, account_id, transaction_id,
        amount_minor, currency, status, created_at, collected_at)
      select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[],
        $7::text[], $8::text[], $9::timestamptz[], $10::timestamptz[])`,
    values: [
      ...idColumns(rows),
      textArray(rows.map((c) => c.cardId)),
      textArray(rows.map((c) => c.accountId)),
      textArray(rows.map((c) => c.transactionId)),
      numberArray(rows.map((c) => c.amountMinor)),
      textArray(rows.map((c) => c.currency)),
      textArray(rows.map((c) => c.status)),
      timeArray(rows.map((c) => c.createdAt)),
      timeArray(rows.map((c) => c.collectedAt)),
    ],
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
