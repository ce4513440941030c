import type pg from "pg";
import type { Connection } from "../db/pool.ts";
import type { KycStatus } from "./life-cycle.ts";
import type { Customer, CustomerType } from "./rows.ts";
import { searchName, searchWords } from "./search.ts";
import type { Details } from "./submission.ts";

/** A customer's columns, for whoever selects from `customers`. */
export const CUSTOMER_COLUMNS = `
  organization_id as "organizationId", customer_id as "customerId", type,
  client_reference as "clientReference", first_name as "firstName", last_name as "lastName",
  registered_name as "registeredName", email, phone_number as "phoneNumber", address,
  kyc_token as "kycToken", status, created_at as "createdAt"`;

interface CustomerKey {
  organizationId: string;
  customerId: string;
}

export interface CustomerStanding extends CustomerKey {
  kycToken: string;
  status: KycStatus;
}

interface NewCustomer extends CustomerStanding {
  type: CustomerType;
  clientReference: string;
  details: Details;
  now: Date;
}

/** Finds a reference's customer, or makes it; in both cases its row is locked for this transaction. */
export async function openCustomer(
  tx: pg.PoolClient,
  fresh: NewCustomer,
): Promise<CustomerStanding & { isNew: boolean }> {
  const { organizationId, customerId, type, clientReference, kycToken, status, now } = fresh;
  const { words, columns } = columnsOf(fresh.details);
  const { rows } = await tx.query<CustomerStanding & { isNew: boolean }>(
    `insert into customers as c
       (organization_id, customer_id, type, client_reference, kyc_token, status, created_at, approved_at,
        first_name, last_name, registered_name, email, phone_number, address, search_name)
     values ($1, $2, $3, $4, $5, $6, $7, case when $6 = 'Approved' then $7::timestamptz end,
             $8, $9, $10, $11, $12, $13, $14)
     on conflict (organization_id, client_reference, type) do update
       set client_reference = c.client_reference
     returning organization_id as "organizationId", customer_id as "customerId",
               kyc_token as "kycToken", status, customer_id = $2 as "isNew"`,
    [organizationId, customerId, type, clientReference, kycToken, status, now, ...columns],
  );
  const customer = rows[0];
  if (customer === undefined) throw new Error("A customer was neither found nor made.");
  if (customer.isNew) await insertWords(tx, customer, words);
  return customer;
}

export async function lockCustomer(
  tx: pg.PoolClient,
  { organizationId, customerId }: CustomerKey,
): Promise<CustomerStanding> {
  const { rows } = await tx.query<CustomerStanding>(
    `select organization_id as "organizationId", customer_id as "customerId",
            kyc_token as "kycToken", status
       from customers where organization_id = $1 and customer_id = $2 for no key update`,
    [organizationId, customerId],
  );
  if (rows[0] === undefined) throw new Error("A verification has lost its customer.");
  return rows[0];
}

/** Takes over a verification's details. The row must be locked. */
export async function saveCustomer(
  tx: pg.PoolClient,
  customer: CustomerStanding,
  details: Details,
  now: Date,
): Promise<void> {
  const { organizationId, customerId, kycToken, status } = customer;
  const { words, columns } = columnsOf(details);
  await deleteWords(tx, customer);
  await tx.query(
    `update customers
        set kyc_token = $3, status = $4,
            approved_at = case when $4 = 'Approved' then coalesce(approved_at, $5::timestamptz) end,
            first_name = $6, last_name = $7, registered_name = $8, email = $9, phone_number = $10,
            address = $11, search_name = $12
      where organization_id = $1 and customer_id = $2`,
    [organizationId, customerId, kycToken, status, now, ...columns],
  );
  await insertWords(tx, customer, words);
}

/** The row must be locked. */
export async function saveCustomerStatus(
  tx: pg.PoolClient,
  { organizationId, customerId, status }: Omit<CustomerStanding, "kycToken">,
): Promise<void> {
  await tx.query(
    "update customers set status = $3 where organization_id = $1 and customer_id = $2",
    [organizationId, customerId, status],
  );
}

export async function findCustomer(
  db: Connection,
  organizationId: string,
  customerId: string,
): Promise<Customer | undefined> {
  const { rows } = await db.query<Customer>(
    `select ${CUSTOMER_COLUMNS} from customers where organization_id = $1 and customer_id = $2`,
    [organizationId, customerId],
  );
  return rows[0];
}

/** What a customer's row keeps of details, in the order of its columns. */
function columnsOf(details: Details): { words: string[]; columns: unknown[] } {
  const isPerson = "firstName" in details;
  const words = isPerson
    ? searchWords(details.firstName, details.lastName)
    : searchWords(details.registeredName);
  const columns = [
    isPerson ? details.firstName : null,
    isPerson ? details.lastName : null,
    isPerson ? null : details.registeredName,
    details.email ?? null,
    (isPerson ? details.phoneNumber : undefined) ?? null,
    details.address === undefined ? null : JSON.stringify(details.address),
    searchName(words),
  ];
  return { words, columns };
}

async function insertWords(
  tx: pg.PoolClient,
  { organizationId, customerId }: CustomerKey,
  words: readonly string[],
): Promise<void> {
  await tx.query(
    `insert into customer_words (organization_id, customer_id, word)
     select $1, $2, word from unnest($3::text[]) as word`,
    [organizationId, customerId, words],
  );
}

/** Names the old words, which are still in the customer's row, because the index begins with the word. */
async function deleteWords(
  tx: pg.PoolClient,
  { organizationId, customerId }: CustomerKey,
): Promise<void> {
  await tx.query(
    `delete from customer_words w
      using customers c
      where c.organization_id = $1 and c.customer_id = $2
        and w.organization_id = $1 and w.customer_id = $2
        and w.word = any(string_to_array(ltrim(c.search_name), ' '))`,
    [organizationId, customerId],
  );
}
