import { type Core, openCore } from "../../src/core.ts";
import { readConfig } from "../../src/foundation/config/config.ts";
import {
  type Credentials,
  createOrganization,
  type NewOrganization,
} from "../../src/identity/organizations.ts";
import { ApiClient } from "./api-client.ts";
import type { TestService } from "./service.ts";

/** The operator of a running service: works on its database, as the operator's commands do. */
export async function openOperator({ environment }: TestService): Promise<Core> {
  return openCore(readConfig(environment), () => undefined);
}

export interface Organization extends Credentials {
  client: ApiClient;
}

/** Founds another organization, and gives it a client that talks to `service`. */
export async function foundOrganization(
  operator: Core,
  service: TestService,
  options: Partial<NewOrganization> = {},
): Promise<Organization> {
  const credentials = await createOrganization(operator, {
    name: "Another",
    customerManaged: false,
    defaultScopes: ["CardAPIs"],
    ...options,
  });
  return { ...credentials, client: new ApiClient({ ...service.sandbox, ...credentials }) };
}
