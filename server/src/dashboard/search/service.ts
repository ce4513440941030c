import { readCustomer, readCustomers } from "../../customers/service.ts";
import type { Pool } from "../../db/pool.ts";
import { searchInTurn } from "../../db/searches.ts";
import { Failure } from "../../foundation/failure.ts";
import { isId } from "../../foundation/ids.ts";
import { formatAmount } from "../../foundation/money.ts";
import { type Meaning, readMeaning } from "./query.ts";
import {
  type FoundTransaction,
  findByClientReference,
  findByReference,
  findByVerification,
  findCards,
  findTransactions,
} from "./store.ts";

const MAX_FOUND = 8;

interface SearchDeps {
  pool: Pool;
}

type FoundCustomer = Awaited<ReturnType<typeof readCustomer>>;

/** Looks for cards, customers and transactions, a few of each. */
export async function search(deps: SearchDeps, organizationId: string, query: string) {
  const { pool } = deps;
  const meaning = readMeaning(query);
  const [made, named] = await Promise.all([
    findByReference(pool, organizationId, meaning.text),
    customersNamed(deps, organizationId, meaning),
  ]);
  const ids = [meaning.text, ...made];
  const cardIds = ids.filter((id) => isId("card", id));
  const customers = await allCustomers(deps, organizationId, meaning, ids, named);
  const customerIds = customers.map(({ customerId }) => customerId);
  const [cards, transactions] = await Promise.all([
    searchInTurn(pool, organizationId, () =>
      findCards(
        pool,
        organizationId,
        meaning,
        { cards: cardIds, customers: customerIds },
        MAX_FOUND,
      ),
    ),
    findTransactions(
      pool,
      organizationId,
      meaning.text,
      ids.filter((id) => isId("txn", id)),
      MAX_FOUND,
    ),
  ]);
  return {
    cards,
    customers: customers.map(describeCustomer),
    transactions: transactions.map(describeFound),
  };
}

async function customersNamed(
  deps: SearchDeps,
  organizationId: string,
  { name }: Meaning,
): Promise<FoundCustomer[]> {
  if (name === undefined) return [];
  const everything = { range: { from: undefined, to: undefined } };
  const rows = await readCustomers(
    deps,
    organizationId,
    { ...everything, name },
    { limit: MAX_FOUND },
  );
  return rows.slice(0, MAX_FOUND);
}

async function allCustomers(
  deps: SearchDeps,
  organizationId: string,
  { text }: Meaning,
  ids: readonly string[],
  named: FoundCustomer[],
): Promise<FoundCustomer[]> {
  const [called, verified] = await Promise.all([
    findByClientReference(deps.pool, organizationId, text),
    findByVerification(
      deps.pool,
      organizationId,
      ids.filter((id) => isId("kyc", id)),
    ),
  ]);
  const wanted = new Set([...ids.filter((id) => isId("cus", id)), ...called, ...verified]);
  for (const { customerId } of named) wanted.delete(customerId);
  const others = await Promise.all(
    [...wanted].slice(0, MAX_FOUND).map((id) => readIfThere(deps, organizationId, id)),
  );
  return [...others.flat(), ...named].slice(0, MAX_FOUND);
}

const readIfThere = (
  deps: SearchDeps,
  organizationId: string,
  customerId: string,
): Promise<FoundCustomer[]> =>
  readCustomer(deps, organizationId, customerId).then(
    (customer) => [customer],
    (error: unknown) => (error instanceof Failure ? [] : Promise.reject(error)),
  );

const describeCustomer = (customer: FoundCustomer) => ({
  customerId: customer.customerId,
  type: customer.type,
  name: customer.registeredName ?? `${customer.firstName} ${customer.lastName}`,
  status: customer.status,
  clientReference: customer.clientReference,
});

const describeFound = ({ amountMinor, createdAt, ...row }: FoundTransaction) => ({
  ...row,
  amount: formatAmount(amountMinor, row.currency),
  createdAt: createdAt.toISOString(),
});
