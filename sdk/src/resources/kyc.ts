import type {
  KycVerification,
  VerifyBusinessBody,
  VerifyIndividualBody,
} from "../generated/openapi.ts";
import type { CallOptions } from "../options.ts";
import { type ReadOptions, Resource } from "./resource.ts";

/** Verify people and businesses. */
export class Kyc extends Resource {
  verifyIndividual(body: VerifyIndividualBody, options?: CallOptions): Promise<KycVerification> {
    return this.call("verifyIndividual", { body }, options);
  }

  verifyBusiness(body: VerifyBusinessBody, options?: CallOptions): Promise<KycVerification> {
    return this.call("verifyBusiness", { body }, options);
  }

  get(kycToken: string, options?: ReadOptions): Promise<KycVerification> {
    return this.call("readVerification", { params: { kycToken } }, options);
  }
}
