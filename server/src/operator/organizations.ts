import { setTimeout } from "node:timers/promises";
import type { Core } from "../core.ts";
import { LEARNED_AFTER_MS } from "../db/shared-state.ts";
import { changeOrganization, createOrganization } from "../identity/organizations.ts";
import { isScope } from "../identity/scopes.ts";
import { listOrganizations } from "../identity/store.ts";
import {
  asJson,
  type Command,
  CommandError,
  type Invocation,
  json,
  readArguments,
  withCore,
  withNewCore,
} from "./command.ts";
import { noOrganization } from "./expect-organization.ts";
import { table } from "./table.ts";

const MAX_NAME_LENGTH = 100;

export const createOrganizationCommand: Command = {
  name: "org create",
  parameters: "<name> [--scopes CardAPIs,CardSecrets] [--json]",
  summary: "Create an organization and print its credentials, once",
  run: async (invocation) => {
    // What it prints is JSON in any case.
    const { positionals, values } = readArguments(invocation, ["name"], {
      scopes: { type: "string" },
      ...json,
    });
    const [name] = positionals;
    if (name.trim() === "" || name.length > MAX_NAME_LENGTH) {
      throw new CommandError(`A name has 1 to ${MAX_NAME_LENGTH} characters.`);
    }
    const defaultScopes = String(values.scopes ?? "CardAPIs")
      .split(",")
      .map((scope) => {
        if (!isScope(scope)) throw new CommandError(`${scope} is not a scope.`);
        return scope;
      });
    await withNewCore(invocation, async (core) => {
      const organization = { name: name.trim(), customerManaged: false, defaultScopes };
      const credentials = await createOrganization(core, organization);
      // Told only here, so at once: whatever goes wrong with closing the database comes later.
      invocation.print(asJson(credentials));
    });
    return 0;
  },
};

export const listOrganizationsCommand: Command = {
  name: "org list",
  parameters: "[--json]",
  summary: "List the organizations",
  run: async (invocation) => {
    const { values } = readArguments(invocation, [], json);
    const organizations = await withCore(invocation, ({ pool }) => listOrganizations(pool));
    if (values.json === true) {
      invocation.print(asJson(organizations));
      return 0;
    }
    const rows = organizations.map((organization) => [
      organization.organizationId,
      organization.status,
      organization.customerManaged ? "on" : "off",
      organization.createdAt.toISOString(),
      organization.name,
    ]);
    invocation.print(
      table(["organization", "status", "customer-managed", "created", "name"], rows),
    );
    return 0;
  },
};

export const enableOrganizationCommand: Command = {
  name: "org enable",
  parameters: "<orgId> [--json]",
  summary: "Let an organization's clients and cards in again",
  run: (invocation) => changeStatus(invocation, "Enabled"),
};

export const disableOrganizationCommand: Command = {
  name: "org disable",
  parameters: "<orgId> [--json]",
  summary: "Shut an organization's clients and cards out, within a second",
  run: (invocation) => changeStatus(invocation, "Disabled"),
};

export const customerManagedCommand: Command = {
  name: "org customer-managed",
  parameters: "<orgId> on|off [--json]",
  summary: "Allow an organization to decide its authorizations itself",
  run: async (invocation) => {
    const { positionals, values } = readArguments(invocation, ["orgId", "on|off"], json);
    const [organizationId, setting] = positionals;
    if (setting !== "on" && setting !== "off") throw new CommandError("Say on or off.");
    const customerManaged = setting === "on";
    await change(invocation, organizationId, { customerManaged });
    const line = `${organizationId}: customer-managed is ${setting}.`;
    invocation.print(values.json === true ? asJson({ organizationId, customerManaged }) : line);
    return 0;
  },
};

async function changeStatus(
  invocation: Invocation,
  status: "Enabled" | "Disabled",
): Promise<number> {
  const { positionals, values } = readArguments(invocation, ["orgId"], json);
  const [organizationId] = positionals;
  await change(invocation, organizationId, { status });
  const line = `${organizationId} is ${status.toLowerCase()}.`;
  invocation.print(values.json === true ? asJson({ organizationId, status }) : line);
  return 0;
}

async function change(
  invocation: Invocation,
  organizationId: string,
  what: Parameters<typeof changeOrganization>[2],
): Promise<void> {
  const found = await withCore(invocation, (core: Core) =>
    changeOrganization(core, organizationId, what),
  );
  if (!found) throw noOrganization(organizationId);
  // Whoever runs the next command or calls the service relies on what this one said.
  await setTimeout(LEARNED_AFTER_MS);
}
