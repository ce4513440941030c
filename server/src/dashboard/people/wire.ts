import { z } from "zod";
import { line, pathId } from "../../http/schema.ts";
import { roles } from "../access/roles.ts";
import type { PersonRow } from "./store.ts";

const MAX_EMAIL_LENGTH = 254;
/** Nothing that has a meaning of its own in letters, and nothing that nobody sees. */
const EMAIL =
  /^[^\s\p{C}@"(),:;<>[\\\]]{1,64}@[^\s\p{C}@"(),:;<>[\\\]]+\.[^\s\p{C}@"(),:;<>[\\\].]+$/u;

/** One address, folded: nobody means two different people by two spellings. */
export const email = z
  .string()
  .max(MAX_EMAIL_LENGTH)
  .transform((text) => text.trim().toLowerCase())
  .refine((text) => EMAIL.test(text), "must be an e-mail address");

export const personName = line(100);
export const organizationName = line(100);

export const PersonPath = z.strictObject({ personId: pathId("per") });
export const RoleBody = z.strictObject({ role: z.enum(roles) });

export const personOf = (row: PersonRow) => ({
  personId: row.personId,
  name: row.name,
  email: row.email,
  role: row.role,
  totp: row.totp,
  lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
});
