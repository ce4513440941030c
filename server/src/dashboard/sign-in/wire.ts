import { z } from "zod";
import { email } from "../people/wire.ts";
import { MAX_PASSWORD_BYTES } from "./password-rules.ts";

/** Its length is judged with the other rules; here it only has a bound. */
export const password = z.string().min(1).max(MAX_PASSWORD_BYTES);
export const linkToken = z.string().min(1).max(100);

const code = z
  .string()
  .transform((text) => text.replace(/\s/g, ""))
  .refine((text) => /^\d{6}$/.test(text), "must be the six digits of the app");

export const LogInBody = z.strictObject({ email, password });
export const CodeBody = z.strictObject({ code });
export const SecondFactorBody = z
  .strictObject({ code: code.optional(), recoveryCode: z.string().max(100).optional() })
  .refine((body) => (body.code === undefined) !== (body.recoveryCode === undefined), {
    path: ["code"],
    message: "or recoveryCode must be sent, one of the two",
  });
export const ReplacementBody = z.strictObject({ code, candidate: z.string().min(1).max(500) });
export const ForgottenBody = z.strictObject({ email });
export const ResetQuery = z.strictObject({ token: linkToken });
export const ResetBody = z.strictObject({ token: linkToken, password });
export const PasswordBody = z.strictObject({ currentPassword: password, password });
