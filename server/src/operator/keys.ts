import { setTimeout } from "node:timers/promises";
import { LEARNED_AFTER_MS } from "../db/shared-state.ts";
import { rotateCredentials } from "../identity/organizations.ts";
import { rotateKeys } from "../identity/rotate-keys.ts";
import { type Command, CommandError, readArguments, withCore } from "./command.ts";

const HOUR_MS = 3_600_000;
const MAX_OVERLAP_HOURS = 24 * 30;

export const rotateCredentialsCommand: Command = {
  name: "credentials rotate",
  parameters: "<orgId> [--overlap-hours 24]",
  summary: "Give an organization a new client secret; the old one works until the overlap ends",
  run: async (invocation) => {
    const { positionals, values } = readArguments(invocation, ["orgId"], {
      "overlap-hours": { type: "string" },
    });
    const [organizationId] = positionals;
    const given = String(values["overlap-hours"] ?? 24);
    const hours = Number(given);
    if (given.trim() === "" || !(hours >= 0 && hours <= MAX_OVERLAP_HOURS)) {
      throw new CommandError(`--overlap-hours is a number from 0 to ${MAX_OVERLAP_HOURS}.`);
    }
    await withCore(invocation, async (core) => {
      const rotated = await rotateCredentials(core, organizationId, hours * HOUR_MS);
      if (rotated.length === 0)
        throw new CommandError(`There is no organization ${organizationId}.`);
      const shown = rotated.map(({ clientId, clientSecret }) => ({ clientId, clientSecret }));
      invocation.print(JSON.stringify(shown, null, 2));
    });
    // Whoever uses the new secret next, or relies on the old one being worth nothing, may do so.
    await setTimeout(LEARNED_AFTER_MS);
    return 0;
  },
};

export const rotateKeysCommand: Command = {
  name: "keys rotate",
  parameters: "",
  summary: "New keys for signing tokens and sealing secrets; live tokens stay good",
  run: async (invocation) => {
    readArguments(invocation, []);
    const { tokenTtlS } = invocation.config;
    const { signingKeyId, sealVersion, resealed } = await withCore(invocation, (core) =>
      rotateKeys(core, tokenTtlS),
    );
    invocation.print(
      `Tokens are signed by ${signingKeyId}. Data key ${sealVersion} sealed ${resealed} secrets anew.`,
    );
    return 0;
  },
};
