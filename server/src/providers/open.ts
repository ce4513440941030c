import type { KycProvider } from "../customers/port.ts";
import type { Clock } from "../foundation/clock.ts";
import type { Config } from "../foundation/config/table.ts";
import { alpha3Of, isCountryCode } from "../foundation/countries.ts";
import { SandboxRegistry } from "./sandbox-registry.ts";
import { Sumsub } from "./sumsub/adapter.ts";

/** Shorter than a real provider's, for whoever tries out what happens. */
export const SANDBOX_DEADLINE_MS = 5_000;
/** Shorter than a review's lease. */
const SUBMIT_DEADLINE_MS = 25_000;

/** The provider that the configuration names; it has checked that all is there. */
export function openKycProvider(config: Config, clock: Clock): KycProvider {
  if (config.kycProvider === "sandbox") {
    const delayMs = config.sandboxKycDelayMs;
    return new SandboxRegistry({ clock, delayMs, deadlineMs: SANDBOX_DEADLINE_MS });
  }
  return new Sumsub({
    baseUrl: config.sumsubBaseUrl ?? "",
    appToken: config.sumsubAppToken ?? "",
    secretKey: config.sumsubSecretKey ?? "",
    webhookSecret: config.sumsubWebhookSecret ?? "",
    levelNames: {
      number: config.sumsubNumberLevel ?? "",
      document: config.sumsubDocumentLevel ?? "",
      business: config.sumsubBusinessLevel ?? "",
    },
    alpha3Of: (code) => (isCountryCode(code) ? alpha3Of(code) : code),
    submitDeadlineMs: SUBMIT_DEADLINE_MS,
  });
}
