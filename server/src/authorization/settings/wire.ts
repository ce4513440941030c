import { z } from "zod";
import { authorizationModels, defaultDecisions } from "./store.ts";

const model = z.enum(authorizationModels).meta({
  description:
    "ServiceManaged: the service decides, and each card pays for itself. CustomerManaged: you are asked, " +
    "and your wallet pays",
});

const authorizationUrl = z
  .string()
  .max(2048)
  .meta({
    description: "Where authorizations are posted to: public and https, except in a sandbox",
    examples: ["https://cards.example.com/authorizations"],
  });

const defaultDecision = z.enum(defaultDecisions).meta({
  description: "What is decided when there is no valid answer within 400 milliseconds",
});

const settingsFields = {
  model,
  authorizationUrl: authorizationUrl.nullable(),
  defaultAuthorizationDecision: defaultDecision.nullable(),
};

export const AuthorizationSettings = z.strictObject(settingsFields).meta({
  id: "CardAuthorizationSettings",
  description: "Who decides authorizations; what was never set is null",
});

export const SettingsBody = z
  .strictObject({
    model,
    authorizationUrl: settingsFields.authorizationUrl.optional(),
    defaultAuthorizationDecision: settingsFields.defaultAuthorizationDecision.optional(),
  })
  .meta({
    examples: [
      {
        model: "CustomerManaged",
        authorizationUrl: "https://cards.example.com/authorizations",
        defaultAuthorizationDecision: "AutoDecline",
      },
    ],
  });

export type SettingsRequest = z.output<typeof SettingsBody>;
