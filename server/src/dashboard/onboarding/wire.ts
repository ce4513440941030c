import { z } from "zod";
import { pathId } from "../../http/schema.ts";
import { roles } from "../access/roles.ts";
import { email, organizationName, personName } from "../people/wire.ts";
import { linkToken, password } from "../sign-in/wire.ts";
import type { InvitationRow, Link } from "./store.ts";

export const SignUpBody = z.strictObject({ organizationName, name: personName, email });
export const RegistrationQuery = z.strictObject({ token: linkToken });
export const RegistrationBody = z.strictObject({
  token: linkToken,
  password,
  name: personName.optional(),
});

export const InvitationBody = z.strictObject({ email, name: personName, role: z.enum(roles) });
export const InvitationPath = z.strictObject({ invitationId: pathId("lnk") });

export const registrationOf = ({ email, name, organizationName, role, kind }: Link) => ({
  email,
  name,
  organizationName,
  role,
  kind,
});

export const invitationOf = ({ expiresAt, ...row }: InvitationRow) => ({
  ...row,
  expiresAt: expiresAt.toISOString(),
});
