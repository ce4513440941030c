import type { Connection } from "../db/pool.ts";
import { CommandError } from "./command.ts";

export async function expectOrganization(db: Connection, organizationId: string): Promise<void> {
  const { rowCount } = await db.query("select from organizations where organization_id = $1", [
    organizationId,
  ]);
  if (rowCount === 0) throw noOrganization(organizationId);
}

export const noOrganization = (organizationId: string): CommandError =>
  new CommandError(`There is no organization ${organizationId}.`);
