import type { Command } from "commander";
import { examine, type Finding } from "../doctor/examine.ts";
import { exitCodes } from "../exit.ts";
import { run } from "./action.ts";
import { httpUrl } from "./options.ts";

const MARKS = { ok: ["green", "✓"], warning: ["yellow", "!"], problem: ["red", "✗"] } as const;

export function addDoctor(program: Command): void {
  const command = program
    .command("doctor")
    .option("--receiver <url>", "see whether somebody listens there", httpUrl)
    .description("Look for what keeps a client from working, and say what to do");
  run<{ receiver?: string; profile?: string }>(
    command,
    async (session, _args, { receiver, profile }) => {
      const { terminal, isJson } = session;
      const findings: Finding[] = [];
      for await (const finding of examine(process.env, { profile, receiver })) {
        findings.push(finding);
        if (isJson) continue;
        const [style, mark] = MARKS[finding.result];
        terminal.print(
          `${terminal.style(style, mark)} ${finding.what.padEnd(20)}  ${finding.seen}`,
        );
        if (finding.advice !== undefined)
          terminal.print(`  ${" ".repeat(20)}  ${terminal.style("bold", finding.advice)}`);
      }
      if (isJson) terminal.print(JSON.stringify(findings, null, 2));
      if (findings.some(({ isUnreachable }) => isUnreachable)) return exitCodes.unreachable;
      return findings.some(({ result }) => result === "problem") ? exitCodes.refused : exitCodes.ok;
    },
  );
}
