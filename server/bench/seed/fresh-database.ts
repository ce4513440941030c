import { migrate } from "../../src/db/migrate.ts";
import { createPool } from "../../src/db/pool.ts";
import type { Cleanup } from "../cleanup.ts";
import type { JoinedDatabase } from "../database.ts";
import { type SeededCard, seedCards } from "./cards.ts";
import { seedOrganization } from "./organizations.ts";

const DATABASE = "fresh";

export interface CardStock {
  url: string;
  organizationId: string;
  cards: SeededCard[];
}

/** A database of its own on the same server, with an organization, its cards and nothing else. */
export async function seedFreshDatabase(
  database: JoinedDatabase,
  count: number,
  cleanup: Cleanup,
): Promise<CardStock> {
  await database.run(`create database ${DATABASE}`);
  const url = urlOf(database.url, DATABASE);
  await migrate(url);
  const pool = createPool(url, 1);
  const close = cleanup.add(() => pool.end());
  const { organizationId } = await seedOrganization(pool);
  const cards = await seedCards(pool, organizationId, count);
  await close();
  return { url, organizationId, cards };
}

function urlOf(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}
