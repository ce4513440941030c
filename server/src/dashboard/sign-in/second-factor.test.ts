import fc from "fast-check";
import { TOTP } from "otpauth";
import { expect, test } from "vitest";
import { newRecoveryCodes, readRecoveryCode } from "./recovery-codes.ts";
import { describeTotp, newTotpSecret, stepOfCode } from "./totp.ts";

const STEP_MS = 30_000;

test("a code belongs to its step, and counts one step early or late", () => {
  const secret = newTotpSecret();
  const app = new TOTP({ secret, digits: 6, period: 30, algorithm: "SHA1" });
  const nowMs = 1_800_000_000_000;
  const step = nowMs / STEP_MS;
  const codeOf = (at: number): string => app.generate({ timestamp: at * STEP_MS });
  for (const near of [-1, 0, 1]) {
    expect(stepOfCode(secret, codeOf(step + near), nowMs)).toBe(step + near);
  }
  for (const far of [-2, 2]) expect(stepOfCode(secret, codeOf(step + far), nowMs)).toBeUndefined();
});

test("the codes are those of RFC 6238", () => {
  const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
  expect(stepOfCode(secret, "287082", 59_000)).toBe(1);
  expect(stepOfCode(secret, "081804", 1_111_111_109_000)).toBe(37_037_036);
});

test("what an app scans names the service and the person", async () => {
  const secret = newTotpSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  const { uri, qrSvg } = await describeTotp(secret, "ada@lagoon.example");
  const url = new URL(uri);
  expect(decodeURIComponent(url.pathname)).toContain("ada@lagoon.example");
  expect(url.searchParams.get("secret")).toBe(secret);
  expect(url.searchParams.get("issuer")).toBe("Florin");
  expect(qrSvg).toMatch(/^<svg [\s\S]*<\/svg>\s*$/);
});

test("recovery codes are different, and are read however they are typed", () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) {
    expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{6}-[0-9a-hjkmnp-tv-z]{6}$/);
    expect(readRecoveryCode(code)).toBe(code);
    expect(readRecoveryCode(` ${code.toUpperCase().replace("-", "  ")} `)).toBe(code);
    expect(readRecoveryCode(code.replaceAll("0", "O").replaceAll("1", "l"))).toBe(code);
  }
  fc.assert(fc.property(fc.string(), (text) => typeof readRecoveryCode(text) === "string"));
});
