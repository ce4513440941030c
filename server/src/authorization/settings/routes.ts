import type { App } from "../../http/app.ts";
import { ok } from "../../http/envelope.ts";
import { describe } from "../../http/openapi.ts";
import {
  type AuthorizationSettingsDeps,
  changeAuthorizationSettings,
  readAuthorizationSettings,
} from "./service.ts";
import { AuthorizationSettings, SettingsBody } from "./wire.ts";

const ReadSettings = describe({
  operationId: "getCardAuthorizationSettings",
  tag: "Settings",
  summary: "See who decides authorizations",
  description: "The model that is in force, and where and how you are asked if it is yours.",
  data: AuthorizationSettings,
});

const ChangeSettings = describe({
  operationId: "setCardAuthorizationSettings",
  tag: "Settings",
  summary: "Choose who decides authorizations",
  description:
    "Replaces the settings as a whole. The customer-managed model has to be enabled for your " +
    "organization (otherwise 403/149) and needs both an address and a default decision; for the " +
    "service-managed model they are optional. Payments that were decided before keep the account that " +
    "pays for them, and go on being told to the latest address.",
  body: SettingsBody,
  data: AuthorizationSettings,
});

export function authorizationSettingsRoutes(api: App, deps: AuthorizationSettingsDeps): void {
  const path = "/settings/card-authorization";
  api.get(path, { schema: ReadSettings }, async ({ caller }) =>
    ok(await readAuthorizationSettings(deps, caller)),
  );
  api.put(path, { schema: ChangeSettings }, async ({ caller, body, ip }) =>
    ok(await changeAuthorizationSettings(deps, caller, body, ip)),
  );
}
