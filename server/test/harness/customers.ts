import type { Pool } from "../../src/db/pool.ts";
import { newId } from "../../src/foundation/ids.ts";
import { newReference } from "./api-client.ts";
import { lagos } from "./kyc.ts";

interface NewCustomer {
  type: "Individual" | "Business";
  firstName: string;
  lastName: string;
  registeredName: string;
  status: "Initiated" | "Pending" | "Approved" | "Rejected";
  address: object | null;
}

/** A customer straight in the database, for tests of cards rather than of verifications. Gives its id. */
export async function openCustomer(
  pool: Pool,
  organizationId: string,
  change: Partial<NewCustomer> = {},
): Promise<string> {
  const { type, status, address, ...names } = { ...ada, ...change };
  const isPerson = type === "Individual";
  const customerId = newId("cus", Date.now());
  await pool.query(
    `insert into customers (organization_id, customer_id, type, client_reference, first_name, last_name,
       registered_name, address, search_name, kyc_token, status, created_at, approved_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, '', $9, $10, now(), case when $10 = 'Approved' then now() end)`,
    [
      organizationId,
      customerId,
      type,
      newReference(),
      isPerson ? names.firstName : null,
      isPerson ? names.lastName : null,
      isPerson ? null : names.registeredName,
      address === null ? null : JSON.stringify(address),
      newId("kyc", Date.now()),
      status,
    ],
  );
  return customerId;
}

const ada: NewCustomer = {
  type: "Individual",
  firstName: "Ada",
  lastName: "Obi",
  registeredName: "Obi & Sons Ltd",
  status: "Approved",
  address: lagos,
};
