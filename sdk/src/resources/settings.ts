import type {
  CardAuthorizationSettings,
  SetCardAuthorizationSettingsBody,
} from "../generated/openapi.ts";
import type { CallOptions } from "../options.ts";
import { type ReadOptions, Resource } from "./resource.ts";

/** Who decides your authorizations: the service, or your own system. */
export class SettingsResource extends Resource {
  getCardAuthorization(options?: ReadOptions): Promise<CardAuthorizationSettings> {
    return this.call("getCardAuthorizationSettings", {}, options);
  }

  setCardAuthorization(
    body: SetCardAuthorizationSettingsBody,
    options?: CallOptions,
  ): Promise<CardAuthorizationSettings> {
    return this.call("setCardAuthorizationSettings", { body }, options);
  }
}
