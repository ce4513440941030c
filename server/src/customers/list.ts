import type { Connection } from "../db/pool.ts";
import type { TimeRange } from "../foundation/dates.ts";
import { firstId } from "../foundation/ids.ts";
import { type Page, rowsFor } from "../http/pagination.ts";
import type { Customer, CustomerType } from "./rows.ts";
import { CUSTOMER_COLUMNS } from "./store.ts";

export interface CustomerFilter {
  type?: CustomerType | undefined;
  clientReference?: string | undefined;
  /** Beginnings of words, folded; each must be found. Nothing is found by an empty list. */
  words?: readonly string[] | undefined;
  range: TimeRange;
}

/** A word that more customers have is not looked up by itself: among the newest it is soon found anyway. */
const RARE = 20_000;
const MAX_WORDS_TRIED = 3;

/** Customers, newest first, one more than the page holds. */
export async function listCustomers(
  db: Connection,
  organizationId: string,
  filter: CustomerFilter,
  page: Page,
): Promise<Customer[]> {
  const { words } = filter;
  if (words?.length === 0) return [];
  const rare = await findRare(db, organizationId, words ?? []);
  const conditions = new Conditions(organizationId);
  addRange(conditions, filter.range, page.cursor);
  const source = rare === undefined ? walk : seekWord(conditions, rare);
  addFilters(conditions, filter, rare);
  const limit = conditions.parameter(rowsFor(page));
  const { rows } = await db.query<Customer>(
    `select ${CUSTOMER_COLUMNS} from ${source.from} where ${conditions.text}
      order by ${source.order} desc limit ${limit}`,
    conditions.values,
  );
  return rows;
}

/** Where customers are read from, in which order. */
interface Source {
  from: string;
  order: string;
}

const walk: Source = { from: "customers", order: "customer_id" };

/** The conditions of a query, with their parameters in order. */
class Conditions {
  readonly values: unknown[] = [];
  readonly #texts: string[] = [];

  constructor(organizationId: string) {
    this.add((n) => `organization_id = ${n}`, organizationId);
  }

  add(text: (parameter: string) => string, value: unknown): void {
    this.#texts.push(text(this.parameter(value)));
  }

  parameter(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  get text(): string {
    return this.#texts.join(" and ");
  }
}

/** A customer's id tells when it was created, so that a time is a place in the list. */
function addRange(conditions: Conditions, { from, to }: TimeRange, cursor?: string): void {
  const before = to && firstId("cus", to.getTime());
  const bounds = [before, cursor].filter((bound) => bound !== undefined).sort();
  if (bounds[0] !== undefined) conditions.add((n) => `customer_id < ${n}`, bounds[0]);
  if (from) conditions.add((n) => `customer_id >= ${n}`, firstId("cus", from.getTime()));
}

function addFilters(
  conditions: Conditions,
  { type, clientReference, words = [] }: CustomerFilter,
  found: string | undefined,
): void {
  if (type !== undefined) conditions.add((n) => `type = ${n}`, type);
  if (clientReference !== undefined) {
    conditions.add((n) => `client_reference = ${n}`, clientReference);
  }
  for (const word of words) {
    if (word !== found) conditions.add((n) => `strpos(search_name, ${n}) > 0`, ` ${word}`);
  }
}

/** Nothing that a word can hold sorts behind it. */
const LAST_CHARACTER = "\u{10ffff}";

/** A word that few customers have, the longest of such first. */
async function findRare(
  db: Connection,
  organizationId: string,
  words: readonly string[],
): Promise<string | undefined> {
  const longest = [...words].sort((a, b) => b.length - a.length).slice(0, MAX_WORDS_TRIED);
  for (const word of longest) if (await isRare(db, organizationId, word)) return word;
  return undefined;
}

async function isRare(db: Connection, organizationId: string, word: string): Promise<boolean> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count
       from (select from customer_words
              where organization_id = $1 and word >= $2 and word < $3 limit $4) as found`,
    [organizationId, word, word + LAST_CHARACTER, RARE + 1],
  );
  return (rows[0]?.count ?? 0) <= RARE;
}

/**
 * The customers with a word, in the order of the list, each looked up by itself as far as the page
 * needs it: no statistics can make a scan of all customers of that.
 */
function seekWord(conditions: Conditions, word: string): Source {
  const first = conditions.parameter(word);
  const last = conditions.parameter(word + LAST_CHARACTER);
  const from = `
    (select distinct customer_id as found_id from customer_words
      where ${conditions.text} and word >= ${first} and word < ${last}
      order by found_id desc offset 0) as found
    cross join lateral
    (select * from customers
      where organization_id = $1 and customer_id = found_id offset 0) as customer`;
  return { from, order: "found_id" };
}
