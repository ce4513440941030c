import { keyColumns, type Load, type Table } from "../../engine/table.ts";
import type { View } from "../../engine/view.ts";
import type { Currency } from "../../foundation/currencies.ts";
import { findProgramme, type Programme } from "../../programmes/programmes.ts";

/** A card account of a customer that is below zero. */
export interface CustomerDebt {
  accountId: string;
  customerId: string;
  programmeId: string;
  currency: Currency;
  postedMinor: bigint;
}

/** Kept by the database itself whenever an account crosses zero, so it is only read. */
const customerDebts: Table<CustomerDebt> = {
  name: "customer_debts",
  idOf: ({ accountId }) => accountId,
};

export const debtsOfCustomer: Load<CustomerDebt> = {
  table: customerDebts,
  keyOf: ({ customerId }) => customerId,
  statement: (keys) => ({
    name: "customer_debts_of_customer",
    text: `
      select d.organization_id as "organizationId", d.account_id as "accountId",
             d.customer_id as "customerId", c.programme_id as "programmeId",
             a.currency, a.posted_minor as "postedMinor"
        from unnest($1::text[], $2::text[]) as k(organization_id, id)
       cross join lateral (select * from customer_debts
         where organization_id = k.organization_id and customer_id = k.id offset 0) d
       cross join lateral (select currency, posted_minor from accounts
         where organization_id = d.organization_id and account_id = d.account_id limit 1) a
       cross join lateral (select programme_id from cards
         where organization_id = d.organization_id and account_id = d.account_id limit 1) c`,
    values: keyColumns(keys),
  }),
};

/** Whether an account of the customer is further below zero than its programme tolerates. */
export function owesTooMuch(
  view: View,
  customerId: string,
  programmes: readonly Programme[],
): boolean {
  return view
    .rows(debtsOfCustomer, customerId)
    .some((debt) => -debt.postedMinor > toleranceMinor(programmes, debt));
}

/** A programme that an operator has withdrawn tolerates nothing. */
function toleranceMinor(programmes: readonly Programme[], debt: CustomerDebt): bigint {
  return findProgramme(programmes, debt)?.negativeBalanceToleranceMinor ?? 0n;
}
