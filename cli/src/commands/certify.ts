import type { Command } from "commander";
import { authorizationChecks } from "../certify/authorization.ts";
import type { Check, Verdict } from "../certify/check.ts";
import { Probe } from "../certify/probe.ts";
import { webhookChecks } from "../certify/webhook.ts";
import { exitCodes, usageFailure } from "../exit.ts";
import type { Session } from "../session.ts";
import { SECRET_HELP, signingKey } from "../webhook/secret.ts";
import { run } from "./action.ts";
import { httpUrl, wholeNumber } from "./options.ts";

interface Options {
  webhook?: string;
  authorization?: string;
  probe?: string;
  secret?: string;
  questions: number;
  concurrency: number;
}

interface Judged extends Verdict {
  part: "webhook" | "authorization";
  name: string;
}

export function addCertify(program: Command): void {
  const command = program
    .command("certify")
    .description("Put your receivers to the test: forgeries, duplicates, disorder, the 400 ms")
    .option("--webhook <url>", "your receiver of webhooks", httpUrl)
    .option(
      "--probe <url>",
      "answers a GET with what that receiver knows, as JSON; may have {cardId} in it",
      httpUrl,
    )
    .option("--authorization <url>", "your server that decides purchases", httpUrl)
    .option("--secret <secret>", SECRET_HELP)
    .option(
      "--questions <count>",
      "how many purchases it has to decide in time",
      wholeNumber(1, 100_000),
      200,
    )
    .option("--concurrency <count>", "how many of them at a time", wholeNumber(1, 500), 20);
  run<Options>(command, async (session, _args, options) => {
    const parts = partsOf(options, signingKey(session, options.secret));
    const judged: Judged[] = [];
    for (const [part, checks] of parts) judged.push(...(await judge(session, part, checks)));
    return report(session, judged);
  });
}

function partsOf(options: Options, key: Buffer): (readonly [Judged["part"], Check[]])[] {
  const { webhook, authorization, questions, concurrency } = options;
  const probe = options.probe === undefined ? undefined : new Probe(options.probe);
  const parts: (readonly [Judged["part"], Check[]])[] = [];
  if (webhook !== undefined) parts.push(["webhook", webhookChecks({ url: webhook, key, probe })]);
  if (authorization !== undefined) {
    const target = { url: authorization, key, questions, concurrency };
    parts.push(["authorization", authorizationChecks(target)]);
  }
  if (parts.length === 0)
    throw usageFailure("What is to be certified? Name --webhook, --authorization or both.");
  return parts;
}

const MARKS = {
  passed: ["green", "✓"],
  failed: ["red", "✗"],
  "not judged": ["yellow", "-"],
} as const;

async function judge(
  { terminal, isJson }: Session,
  part: Judged["part"],
  checks: Check[],
): Promise<Judged[]> {
  const judged: Judged[] = [];
  if (!isJson)
    terminal.print(
      terminal.style(
        "bold",
        part === "webhook" ? "The receiver of webhooks" : "The server that decides",
      ),
    );
  for (const { name, run: check } of checks) {
    const verdict = await check();
    judged.push({ part, name, ...verdict });
    if (isJson) continue;
    const [style, mark] = MARKS[verdict.result];
    terminal.print(`  ${terminal.style(style, mark)} ${name}`);
    terminal.print(
      `      ${terminal.style(verdict.result === "failed" ? "red" : "dim", verdict.seen)}`,
    );
  }
  if (!isJson) terminal.print("");
  return judged;
}

function report({ terminal, isJson }: Session, judged: readonly Judged[]): number {
  const count = (result: Verdict["result"]): number =>
    judged.filter((one) => one.result === result).length;
  const [good, bad, open] = [count("passed"), count("failed"), count("not judged")];
  const score = good + bad === 0 ? 0 : Math.round((100 * good) / (good + bad));
  if (isJson) {
    terminal.print(
      JSON.stringify(
        { score, passed: good, failed: bad, notJudged: open, checks: judged },
        null,
        2,
      ),
    );
  } else {
    const left = open === 0 ? "" : `, ${open} not judged`;
    const verdict =
      bad === 0 ? terminal.style("green", "Passed") : terminal.style("red", "Not passed");
    terminal.print(`${verdict}: ${good} of ${good + bad} checks (${score} %)${left}.`);
  }
  return bad === 0 ? exitCodes.ok : exitCodes.refused;
}
