import { z } from "zod";
import { pathId } from "../../http/schema.ts";
import type { SessionRow } from "./store.ts";

export const SessionPath = z.strictObject({ sessionId: pathId("ses") });

export const sessionOf = (row: SessionRow, currentId: string) => ({
  sessionId: row.sessionId,
  current: row.sessionId === currentId,
  createdAt: row.createdAt.toISOString(),
  lastSeenAt: row.lastSeenAt.toISOString(),
  address: row.address,
  userAgent: row.userAgent,
});
