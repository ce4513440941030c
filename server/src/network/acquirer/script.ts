import { z } from "zod";
import { type Currency, isCurrency } from "../../foundation/currencies.ts";
import { Failure } from "../../foundation/failure.ts";
import { parseAmount } from "../../foundation/money.ts";
import { parseStrictJson } from "../../foundation/strict-json.ts";
import { problemsIn, wordsFor } from "../../http/words.ts";
import { encode } from "../iso8583/encode.ts";
import { type Fields, fieldTable, type Message } from "../iso8583/fields.ts";
import { FormatError } from "../iso8583/format-error.ts";
import { faultsOf } from "./check.ts";
import type { AcquirerConnection } from "./connection.ts";
import type { PresentedCard, Terminal } from "./terminal.ts";

const fieldNumber = z.string().refine((text) => Object.hasOwn(fieldTable, text), "is no field");

const Step = z.strictObject({
  /** By which later steps are about this one. */
  name: z.string().max(60).optional(),
  send: z.enum(["0100", "0120", "0200", "0220", "0400", "0420", "0800"]),
  /** Which of the cards, from 0. */
  card: z.int().min(0).default(0),
  /** In major units. */
  amount: z.number().min(0).optional(),
  currency: z
    .string()
    .refine((text): text is Currency => isCurrency(text), "is no currency")
    .optional(),
  kind: z.enum(["purchase", "cash", "pre-authorization", "refund"]).default("purchase"),
  about: z.string().optional(),
  /** Of a reversal: what stays, in major units. */
  remaining: z.number().min(0).optional(),
  /** DE 70. */
  code: z.enum(["001", "002", "301"]).default("301"),
  /** Sends the step it is about once more. */
  repeat: z.boolean().default(false),
  fields: z.record(fieldNumber, z.string()).default({}),
  /** DE 39. */
  expect: z.string().length(2).default("00"),
});
export type ScriptStep = z.output<typeof Step>;

/** What is wrong with a script, and where. */
export class ScriptError extends Error {
  override readonly name = "ScriptError";
}

const MAX_STEPS = 10_000;

/** One step of JSON for each line; empty lines and those that begin with # are passed over. */
export function readScript(text: string): ScriptStep[] {
  const names = new Set<string>();
  const steps = text.split("\n").flatMap((line, index) => {
    if (line.trim() === "" || line.startsWith("#")) return [];
    const step = readStep(line, index + 1);
    const problem = problemOf(step, names);
    if (problem !== undefined) throw new ScriptError(`Line ${index + 1}: ${problem}.`);
    if (step.name !== undefined) names.add(step.name);
    return [step];
  });
  if (steps.length > MAX_STEPS) throw new ScriptError(`A script has at most ${MAX_STEPS} steps.`);
  return steps;
}

/** What one step says that does not go together, or not with those before it. */
function problemOf(
  { send, kind, about, repeat }: ScriptStep,
  names: ReadonlySet<string>,
): string | undefined {
  if (about !== undefined && !names.has(about)) return `no step before is called ${about}`;
  if (repeat && about === undefined) return "repeat needs the step that it is about";
  return kind === "refund" && send !== "0220" ? "a refund is sent as 0220" : undefined;
}

function readStep(line: string, lineNumber: number): ScriptStep {
  let content: unknown;
  try {
    content = parseStrictJson(line);
  } catch {
    throw new ScriptError(`Line ${lineNumber} is not JSON.`);
  }
  const read = Step.safeParse(content, { error: wordsFor });
  if (read.success) return read.data;
  throw new ScriptError(`Line ${lineNumber}: ${problemsIn(read.error)[0]}.`);
}

export interface StepResult {
  step: ScriptStep;
  /** DE 39; nothing where no answer came. */
  response: string;
  faults: string[];
  ms: number;
}

/** Sends the steps of a script one after another. */
export async function runScript(
  connection: AcquirerConnection,
  terminal: Terminal,
  cards: readonly PresentedCard[],
  steps: readonly ScriptStep[],
): Promise<StepResult[]> {
  const sent = new Map<string, Message>();
  const results: StepResult[] = [];
  for (const [index, step] of steps.entries()) {
    const message = explaining(step.name ?? String(index + 1), () =>
      messageOf(step, terminal, cards, sent),
    );
    if (step.name !== undefined) sent.set(step.name, message);
    const startedMs = performance.now();
    const answer = await connection.ask(message).catch(() => undefined);
    const ms = performance.now() - startedMs;
    const response = answer?.fields[39] ?? "";
    const faults = answer === undefined ? ["no answer came"] : faultsOf(message, answer);
    if (response !== step.expect) faults.push(`DE 39 is ${response}, not ${step.expect}`);
    results.push({ step, response, faults, ms });
  }
  return results;
}

/** A step that makes no message is a fault of the script. */
function explaining(step: string, make: () => Message): Message {
  try {
    const message = make();
    encode(message);
    return message;
  } catch (error) {
    if (!(error instanceof FormatError || error instanceof Failure)) throw error;
    throw new ScriptError(`Step ${step} makes no message: ${error.message}`);
  }
}

function messageOf(
  step: ScriptStep,
  terminal: Terminal,
  cards: readonly PresentedCard[],
  sent: ReadonlyMap<string, Message>,
): Message {
  const original = step.about === undefined ? undefined : sent.get(step.about);
  const { mti, fields } =
    original !== undefined && step.repeat
      ? terminal.repeat(original)
      : freshMessage(step, terminal, cards, original);
  return { mti, fields: { ...fields, ...(step.fields as Fields) } };
}

function freshMessage(
  step: ScriptStep,
  terminal: Terminal,
  cards: readonly PresentedCard[],
  original: Message | undefined,
): Message {
  const { send, kind, remaining } = step;
  if (send === "0800") return terminal.management(step.code);
  const card = cards[step.card];
  if (card === undefined) throw new ScriptError(`There is no card ${step.card}.`);
  const currency = step.currency ?? card.currency;
  const minorOf = (amount: number) => parseAmount(amount, currency, { allowZero: true });
  const amountMinor = minorOf(step.amount ?? 0);
  if (send === "0400" || send === "0420") {
    const remainingMinor = remaining === undefined ? {} : { remainingMinor: minorOf(remaining) };
    const about = original ?? terminal.purchase(card, amountMinor, { currency });
    return terminal.reversal(about, { mti: send, ...remainingMinor });
  }
  if (send === "0220") {
    const about = original ?? terminal.purchase(card, amountMinor, { currency });
    return kind === "refund"
      ? terminal.refund(about, amountMinor, currency)
      : terminal.completion(about, amountMinor, currency);
  }
  // Refunds are sent as 0220, see problemOf.
  const begun = kind === "refund" ? "purchase" : kind;
  return terminal.purchase(card, amountMinor, { mti: send, currency, kind: begun });
}
