import { z } from "zod";
import { decideByHand, type KycDeps } from "../customers/verification-service.ts";
import {
  KycDecision,
  KycPath,
  KycVerification,
  verificationOf,
} from "../customers/verification-wire.ts";
import { parseAmount } from "../foundation/money.ts";
import type { App } from "../http/app.ts";
import { ok } from "../http/envelope.ts";
import { describe } from "../http/openapi.ts";
import { amountAsked, currency, timestamp } from "../http/schema.ts";
import { depositMoney, type WalletDeps } from "../wallets/service.ts";
import { Wallet, walletOf } from "../wallets/wire.ts";
import { advanceClock, type ClockDeps } from "./clock.ts";
import { type FaultDeps, injectFault } from "./faults/service.ts";
import { FaultOrder, FaultsSet } from "./faults/wire.ts";

const MAX_ADVANCE_S = 400 * 24 * 60 * 60;

const DepositMoney = describe({
  operationId: "simulateDeposit",
  tag: "Simulator",
  summary: "Deposit money into a wallet",
  description:
    "Creates money, so it exists in the sandbox only. A wallet is opened by its first deposit.",
  body: z.strictObject({ currency, amount: amountAsked }),
  data: Wallet,
});

const AdvanceClock = describe({
  operationId: "advanceClock",
  tag: "Simulator",
  summary: "Move the service's clock forward",
  description:
    "Limits, expiry of holds, References, tokens and webhook retries follow at once, in every process; " +
    "the clock never goes back, and keeps its place over restarts.",
  body: z.strictObject({ seconds: z.int().min(1).max(MAX_ADVANCE_S) }),
  data: z.strictObject({ now: timestamp }),
});

const DecideVerification = describe({
  operationId: "simulateKycDecision",
  tag: "Simulator",
  summary: "Decide a verification",
  description:
    "Takes a verification on as its provider would. Steps may be skipped; their events are sent all the same. " +
    "What is Approved or Rejected stays so: any other status is 422/133.",
  params: KycPath,
  body: KycDecision,
  data: KycVerification,
});

const InjectFault = describe({
  operationId: "injectFault",
  tag: "Simulator",
  summary: "Let something go wrong",
  description:
    "Tests your side: your next webhook deliveries are dropped, doubled, delayed or overtaken, your next call " +
    "loses its answer after its commit, your next verifications find their register down or too slow. " +
    "Each kind has its own count; asking again for a kind replaces what is left of it. What was set is " +
    "yours alone, and gone when the process ends.",
  body: FaultOrder,
  data: FaultsSet,
});

/** What exists in a sandbox only, apart from the card network. */
export function sandboxRoutes(api: App, deps: WalletDeps & ClockDeps & KycDeps & FaultDeps): void {
  api.post("/simulator/wallets/deposits", { schema: DepositMoney }, async ({ caller, body }) => {
    const amountMinor = parseAmount(body.amount, body.currency);
    const money = { currency: body.currency, amountMinor };
    const wallet = await depositMoney(deps, caller.organizationId, money, caller.claim);
    return ok(walletOf(wallet), { resourceId: wallet.walletId });
  });

  api.post(
    "/simulator/kyc/:kycToken",
    { schema: DecideVerification },
    async ({ caller, params, body }) => {
      const { organizationId, claim } = caller;
      const decided = await decideByHand(deps, organizationId, params.kycToken, body, claim);
      return ok(verificationOf(decided), { resourceId: decided.kycToken });
    },
  );

  api.post("/simulator/clock/advance", { schema: AdvanceClock }, async ({ caller, body }) => {
    const now = await advanceClock(deps, body.seconds, caller.claim);
    return ok({ now: now.toISOString() });
  });

  api.post("/simulator/faults", { schema: InjectFault }, async ({ caller, body }) =>
    ok({ faults: await injectFault(deps, caller, body) }),
  );
}
