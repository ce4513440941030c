import { FlorinError } from "@florin/sdk";
import type { Command } from "commander";
import { exitCodes, usageFailure } from "../exit.ts";
import { withoutFragment } from "../signature/fragment.ts";
import { referenceOf } from "../signature/reference.ts";
import { run } from "./action.ts";

export function addRequest(program: Command): void {
  const command = program
    .command("request")
    .argument("<method>")
    .argument("<path>", "under /api/v1, with its query")
    .option("--body <json>", "what is sent")
    .option("--reference <reference>", "made at random unless given")
    .description("Sign and send any request, and print the whole answer: request GET /wallets");
  run<{ body?: string; reference?: string }>(
    command,
    async (session, [method = "", path = ""], options) => {
      const body = options.body === undefined ? {} : { body: readBody(options.body) };
      const reference = referenceOf(options.reference);
      const given = withoutFragment(path.startsWith("/") ? path : `/${path}`);
      const [braces] = /\{\w*\}/.exec(given) ?? [];
      if (braces !== undefined) throw usageFailure(`Put a value in the place of ${braces}.`);
      const [plain = "", search = ""] = given.split(/\?(.*)/s);
      const query = Object.fromEntries(new URLSearchParams(search));
      try {
        const { envelope } = await session.florin.send(method, plain, {
          query,
          ...body,
          reference,
          maxRetries: 0,
        });
        session.terminal.print(JSON.stringify(envelope, null, 2));
        return undefined;
      } catch (error) {
        if (!(error instanceof FlorinError) || error.responseCode === undefined) throw error;
        session.terminal.print(JSON.stringify(envelopeOf(error), null, 2));
        return exitCodes.refused;
      }
    },
  );
}

function readBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw usageFailure("--body is not JSON.");
  }
}

/** A refusal as the service worded it. */
function envelopeOf({
  responseCode,
  responseMessage,
  finality,
  requestId,
  errors,
}: FlorinError): object {
  return {
    responseCode,
    responseMessage,
    finality,
    requestId,
    data: null,
    ...(errors.length > 0 ? { errors } : {}),
  };
}
