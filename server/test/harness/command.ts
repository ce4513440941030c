import { readOperatorConfig } from "../../src/foundation/config/config.ts";
import { findCommand } from "../../src/operator/commands.ts";

/** Runs an operator's command in this process: what it prints and ends with. Its refusals are thrown. */
export async function runCommand(
  args: string[],
  environment: Record<string, string>,
): Promise<{ code: number; text: string }> {
  const found = findCommand(args);
  if (found === undefined) throw new Error(`There is no command ${args.join(" ")}.`);
  const lines: string[] = [];
  const code = await found.command.run({
    config: readOperatorConfig(environment),
    args: found.rest,
    print: (line) => lines.push(line),
  });
  return { code, text: lines.join("\n") };
}
