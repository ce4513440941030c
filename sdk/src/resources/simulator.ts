import type {
  AdvanceClockBody,
  DecidedTransaction,
  FaultsSet,
  InjectFaultBody,
  KycVerification,
  MovedMoney,
  SimulateAuthorizationBody,
  SimulateDepositBody,
  SimulateForcePostBody,
  SimulateKycDecisionBody,
  SimulateRefundBody,
  SimulateReversalBody,
  SimulateSettlementBody,
  SimulateUnlinkedRefundBody,
  Wallet,
} from "../generated/openapi.ts";
import type { Data } from "../operation.ts";
import type { CallOptions } from "../options.ts";
import { Resource } from "./resource.ts";

/** Sandbox only: purchases, money from nowhere, a clock that can be moved, and faults to order. */
export class Simulator extends Resource {
  /** A purchase. It may be declined: look at `approved`. */
  authorize(body: SimulateAuthorizationBody, options?: CallOptions): Promise<DecidedTransaction> {
    return this.call("simulateAuthorization", { body }, options);
  }

  settle(
    transactionId: string,
    body?: SimulateSettlementBody,
    options?: CallOptions,
  ): Promise<MovedMoney> {
    return this.call("simulateSettlement", { params: { transactionId }, body }, options);
  }

  reverse(
    transactionId: string,
    body?: SimulateReversalBody,
    options?: CallOptions,
  ): Promise<MovedMoney> {
    return this.call("simulateReversal", { params: { transactionId }, body }, options);
  }

  refund(
    transactionId: string,
    body?: SimulateRefundBody,
    options?: CallOptions,
  ): Promise<MovedMoney> {
    return this.call("simulateRefund", { params: { transactionId }, body }, options);
  }

  /** A settlement without an authorization. */
  forcePost(body: SimulateForcePostBody, options?: CallOptions): Promise<MovedMoney> {
    return this.call("simulateForcePost", { body }, options);
  }

  /** A refund without a settlement. */
  refundUnlinked(body: SimulateUnlinkedRefundBody, options?: CallOptions): Promise<MovedMoney> {
    return this.call("simulateUnlinkedRefund", { body }, options);
  }

  deposit(body: SimulateDepositBody, options?: CallOptions): Promise<Wallet> {
    return this.call("simulateDeposit", { body }, options);
  }

  decideKyc(
    kycToken: string,
    body: SimulateKycDecisionBody,
    options?: CallOptions,
  ): Promise<KycVerification> {
    return this.call("simulateKycDecision", { params: { kycToken }, body }, options);
  }

  /** Moves the service's clock forward, for everyone who uses this sandbox. */
  advanceClock(body: AdvanceClockBody, options?: CallOptions): Promise<Data<"advanceClock">> {
    return this.call("advanceClock", { body }, options);
  }

  injectFault(body: InjectFaultBody, options?: CallOptions): Promise<FaultsSet> {
    return this.call("injectFault", { body }, options);
  }
}
