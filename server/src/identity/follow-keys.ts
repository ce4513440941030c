import type { Core } from "../core.ts";
import { FailureLog } from "../foundation/failure-log.ts";
import type { Log } from "../foundation/log.ts";
import { ensureSigningKey, SigningKeys } from "./signing-keys.ts";
import type { TokenVerifier } from "./tokens.ts";

const KEY_RETRY_MS = 1_000;

export async function openKeys(
  { pool, vault, clock }: Core,
  tokenTtlS: number,
): Promise<SigningKeys> {
  await ensureSigningKey(pool, vault, clock);
  const signingKeys = new SigningKeys({ pool, vault, clock, tokenTtlS });
  await signingKeys.reload();
  return signingKeys;
}

/** Reads changed keys again, until that works. */
export function followKeys(
  { feed, vault }: Core,
  signingKeys: SigningKeys,
  verifier: TokenVerifier,
  log: Log,
): void {
  const failures = new FailureLog(log, "keys", "changed keys could not be read yet");
  const reload = async (): Promise<void> => {
    await Promise.all([vault.reload(), signingKeys.reload()]);
    verifier.forget();
    failures.worked();
  };
  feed.on("keysVersion", () => {
    // Until it succeeds: a process that misses a rotation would sign with a key that others forget.
    const attempt = (): Promise<void> =>
      reload().catch((error: unknown) => {
        failures.failed(error);
        setTimeout(attempt, KEY_RETRY_MS).unref();
      });
    void attempt();
  });
}
