import { randomBytes } from "node:crypto";

const SECRET_BYTES = 32;

/** As Standard Webhooks writes them. */
export function newEndpointSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}

export const endpointSecretPlace = (organizationId: string, webhookEndpointId: string): string =>
  `webhook_endpoints/${organizationId}/${webhookEndpointId}/secret`;
