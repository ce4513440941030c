import type { ManyQuery } from "../../db/reads.ts";
import { scopedColumns, scopedKey } from "../../db/scoped-key.ts";
import type { Owned } from "../../engine/table.ts";
import type { BillingAddress, Card } from "../card.ts";
import { CARD_COLUMNS } from "../tables.ts";

/** What issuing must know of a customer. Once Approved, a customer stays so. */
export interface Cardholder {
  organizationId: string;
  customerId: string;
  type: "Individual" | "Business";
  isApproved: boolean;
  firstName: string | null;
  lastName: string | null;
  registeredName: string | null;
  address: BillingAddress | null;
}

export const cardholderById: ManyQuery<string, Cardholder> = {
  statement: (keys) => ({
    name: "cardholder_by_id",
    text: `
      select c.organization_id as "organizationId", c.customer_id as "customerId", c.type,
             c.status = 'Approved' as "isApproved", c.first_name as "firstName",
             c.last_name as "lastName", c.registered_name as "registeredName", c.address
        from unnest($1::text[], $2::text[]) as k(organization_id, id)
       cross join lateral (select * from customers
         where organization_id = k.organization_id and customer_id = k.id limit 1) c`,
    values: scopedColumns(keys),
  }),
  keyOf: ({ organizationId, customerId }) => scopedKey(organizationId, customerId),
};

/** The card that a customer got last, whatever became of it. */
export const latestCardOfCustomer: ManyQuery<string, Owned<Card>> = {
  statement: (keys) => ({
    name: "latest_card_of_customer",
    text: `
      select ${CARD_COLUMNS} from unnest($1::text[], $2::text[]) as k(organization_id, id)
       cross join lateral (select * from cards
         where organization_id = k.organization_id and customer_id = k.id
         order by card_id desc limit 1) c`,
    values: scopedColumns(keys),
  }),
  keyOf: ({ organizationId, customerId }) => scopedKey(organizationId, customerId),
};
