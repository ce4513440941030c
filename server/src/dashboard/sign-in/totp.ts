import { randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";

const PERIOD_S = 30;
const SECRET_BYTES = 20;
/** A code of the step before or after counts too: clocks differ, and people type slowly. */
const WINDOW = 1;

/** A new secret, in Base32 as authenticator apps take it. */
export function newTotpSecret(): string {
  const bytes = randomBytes(SECRET_BYTES);
  return new Secret({ buffer: new Uint8Array(bytes).buffer }).base32;
}

/** The step that a code belongs to, if it is one of those that count now. */
export function stepOfCode(secret: string, code: string, nowMs: number): number | undefined {
  const delta = totpOf(secret).validate({ token: code, timestamp: nowMs, window: WINDOW });
  return delta === null ? undefined : Math.floor(nowMs / 1000 / PERIOD_S) + delta;
}

/** What an authenticator app scans. */
export async function describeTotp(
  secret: string,
  email: string,
): Promise<{ secret: string; uri: string; qrSvg: string }> {
  const uri = totpOf(secret, email).toString();
  // Few ever need it, so that the service does not start with it.
  const { default: qrCode } = await import("qrcode");
  const qrSvg = await qrCode.toString(uri, { type: "svg", errorCorrectionLevel: "M", margin: 2 });
  return { secret, uri, qrSvg };
}

const totpOf = (secret: string, label = "Florin"): TOTP =>
  new TOTP({ issuer: "Florin", label, secret, digits: 6, period: PERIOD_S, algorithm: "SHA1" });

/** The place that a person's secret is sealed for. */
export const totpSealContext = ({ personId }: { personId: string }): string =>
  `people/${personId}/totp`;
