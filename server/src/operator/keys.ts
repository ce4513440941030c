import { setTimeout } from "node:timers/promises";
import type { Core } from "../core.ts";
import { LEARNED_AFTER_MS } from "../db/shared-state.ts";
import { rotateCredentials, rotateWebhookSecret } from "../identity/organizations.ts";
import { MasterKeyMissing, rotateKeys } from "../identity/rotate-keys.ts";
import { asJson, type Command, CommandError, json, readArguments, withCore } from "./command.ts";
import { noOrganization } from "./expect-organization.ts";

const HOUR_MS = 3_600_000;
const MAX_OVERLAP_HOURS = 24 * 30;

export const rotateCredentialsCommand: Command = {
  name: "credentials rotate",
  parameters: "<orgId> [--signing-secret] [--overlap-hours 24] [--json]",
  summary:
    "Give an organization a new client secret or signing secret; the old one works until the overlap ends",
  run: async (invocation) => {
    // What it prints is JSON in any case.
    const { positionals, values } = readArguments(invocation, ["orgId"], {
      "overlap-hours": { type: "string" },
      "signing-secret": { type: "boolean" },
      ...json,
    });
    const [organizationId] = positionals;
    const given = String(values["overlap-hours"] ?? 24);
    const hours = Number(given);
    if (given.trim() === "" || !(hours >= 0 && hours <= MAX_OVERLAP_HOURS)) {
      throw new CommandError(`--overlap-hours is a number from 0 to ${MAX_OVERLAP_HOURS}.`);
    }
    const rotate = values["signing-secret"] === true ? newSigningSecret : newClientSecrets;
    await withCore(invocation, async (core) => {
      const rotated = await rotate(core, organizationId, hours * HOUR_MS);
      if (rotated === undefined) throw noOrganization(organizationId);
      invocation.print(asJson(rotated));
    });
    // Whoever uses the new secret next, or relies on the old one being worth nothing, may do so.
    await setTimeout(LEARNED_AFTER_MS);
    return 0;
  },
};

async function newClientSecrets(core: Core, organizationId: string, overlapMs: number) {
  const rotated = await rotateCredentials(core, organizationId, overlapMs);
  if (rotated.length === 0) return undefined;
  return rotated.map(({ clientId, clientSecret }) => ({ clientId, clientSecret }));
}

async function newSigningSecret(core: Core, organizationId: string, overlapMs: number) {
  const rotated = await rotateWebhookSecret(core, organizationId, overlapMs);
  return rotated && { organizationId, webhookSecret: rotated.webhookSecret };
}

export const rotateKeysCommand: Command = {
  name: "keys rotate",
  parameters: "[--json]",
  summary: "New keys for signing tokens and sealing secrets; live tokens stay good",
  run: async (invocation) => {
    const { values } = readArguments(invocation, [], json);
    const { tokenTtlS } = invocation.config;
    const rotated = await withCore(invocation, (core) => rotateKeys(core, tokenTtlS)).catch(
      (error: unknown) => {
        throw error instanceof MasterKeyMissing ? new CommandError(error.message) : error;
      },
    );
    // A key signs when every process knows it.
    await setTimeout(LEARNED_AFTER_MS);
    const { signingKeyId, sealVersion, resealed } = rotated;
    const line = `Tokens are signed by ${signingKeyId}. Data key ${sealVersion} sealed ${resealed} secrets anew.`;
    invocation.print(values.json === true ? asJson({ signingKeyId, sealVersion, resealed }) : line);
    return 0;
  },
};
