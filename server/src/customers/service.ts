import type { Pool } from "../db/pool.ts";
import { searchInTurn } from "../db/searches.ts";
import { Failure } from "../foundation/failure.ts";
import { isId } from "../foundation/ids.ts";
import type { Page } from "../http/pagination.ts";
import { type CustomerFilter, listCustomers } from "./list.ts";
import type { Customer } from "./rows.ts";
import { searchWords } from "./search.ts";
import { findCustomer } from "./store.ts";

export interface CustomerDeps {
  pool: Pool;
}

export interface CustomerQuery extends Omit<CustomerFilter, "words"> {
  name?: string | undefined;
}

export function readCustomers(
  { pool }: CustomerDeps,
  organizationId: string,
  { name, ...filter }: CustomerQuery,
  page: Page,
): Promise<Customer[]> {
  const words = name === undefined ? undefined : searchWords(name);
  return searchInTurn(pool, organizationId, () =>
    listCustomers(pool, organizationId, { ...filter, words }, page),
  );
}

export async function readCustomer(
  { pool }: CustomerDeps,
  organizationId: string,
  customerId: string,
): Promise<Customer> {
  const found = isId("cus", customerId)
    ? await findCustomer(pool, organizationId, customerId)
    : undefined;
  return found ?? Promise.reject(new Failure("UNABLE_TO_LOCATE_RECORD"));
}
