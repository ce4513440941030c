import { usageFailure } from "../exit.ts";
import type { Session } from "../session.ts";
import { readSecret } from "./message.ts";

/** Where the secret comes from, for the help of commands that sign. */
export const SECRET_HELP =
  "signs what is sent; others see it in the list of processes, so better set FLORIN_WEBHOOK_SECRET; the profile's webhookSecret unless given";

/** The key that signs as the service does: of the option, else of the environment, else of the profile. */
export function signingKey(session: Session, told: string | undefined): Buffer {
  const secret =
    told ?? (process.env.FLORIN_WEBHOOK_SECRET || undefined) ?? session.profile.webhookSecret;
  if (secret === undefined) {
    throw usageFailure("FLORIN_WEBHOOK_SECRET is not set, and this profile has no webhookSecret.");
  }
  return readSecret(secret);
}
