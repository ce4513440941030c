import { AuthenticationError, ConnectionError, FlorinError } from "@florin/sdk";
import { CommanderError } from "commander";
import { reasonOf } from "./connection-failure.ts";
import { CommandFailure, exitCodes } from "./exit.ts";
import { florinCommand } from "./project.ts";
import { facts } from "./terminal/table.ts";
import type { Terminal } from "./terminal/terminal.ts";

const FINALITY = {
  TerminalSuccess: "it took effect: do not repeat it",
  TerminalFailure: "final: do not retry without changing something",
  Indeterminate: "outcome unknown: retry with the same Reference, or look it up",
} as const;

/** Says what went wrong so that a person knows what to do, and gives the exit code for a script. */
export function explainFailure(error: unknown, terminal: Terminal): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  if (error instanceof CommandFailure) {
    terminal.say(error.message);
    return error.exitCode;
  }
  if (error instanceof ConnectionError) {
    terminal.say(unreachable(error));
    return exitCodes.unreachable;
  }
  if (error instanceof FlorinError) {
    terminal.say(refusal(error, terminal));
    return exitCodes.refused;
  }
  terminal.say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return exitCodes.refused;
}

function unreachable(error: ConnectionError): string {
  const why = error.cause === undefined ? error.message : reasonOf(error.cause, 0);
  return `The service does not answer: ${why}.\nIs it running? Start it with npm start; ${florinCommand} doctor looks for what is wrong.`;
}

function refusal(error: FlorinError, terminal: Terminal): string {
  const { responseCode, responseMessage, finality, errors, requestId, reference } = error;
  // What has no code is told in a sentence of the SDK's own, which names the status.
  const why = [responseCode, responseMessage.replace(/\.$/, "")].filter(Boolean).join(" ");
  const lines = [`${terminal.style("red", "Refused:")} ${why} (${FINALITY[finality]})`];
  const fields = errors.map(({ field, message }) => [`  ${field}`, message] as const);
  if (fields.length > 0) lines.push(facts(terminal, fields));
  const names = [requestId, reference && `Reference ${reference}`].filter(Boolean);
  if (names.length > 0) lines.push(terminal.style("dim", `  ${names.join(", ")}`));
  return [...lines, ...adviceOn(error).map((line) => `  ${line}`)].join("\n");
}

function adviceOn(error: FlorinError): string[] {
  if (error instanceof AuthenticationError) {
    return [
      `${florinCommand} doctor tells which of the credentials is refused; ${florinCommand} sign explains signatures.`,
    ];
  }
  if (error.responseCode === "161") {
    return [
      `A card of this customer is below zero: ${florinCommand} cards list --customer ID shows which.`,
      `Top it up: ${florinCommand} cards top-up CARD AMOUNT`,
      `If it is terminated, settle it from the wallet: ${florinCommand} request POST /cards/CARD/regularize`,
    ];
  }
  return [];
}
