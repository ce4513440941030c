import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { usageFailure } from "../exit.ts";
import { florinCommand, packageFile } from "../project.ts";
import { readScenario } from "./read.ts";
import type { Scenario } from "./scenario.ts";

const folder = (): string => packageFile("scenarios");

/** The names of the scenarios that come with Florin. */
export function shippedNames(): string[] {
  return readdirSync(folder())
    .filter((file) => file.endsWith(".yaml"))
    .map((file) => file.slice(0, -".yaml".length))
    .sort();
}

/** A scenario by its name, or by the path of a file. */
export function loadScenario(nameOrPath: string): Scenario {
  const isName = /^[\w-]+$/.test(nameOrPath);
  const path = isName ? join(folder(), `${nameOrPath}.yaml`) : nameOrPath;
  if (!existsSync(path)) {
    const what = isName ? `There is no scenario ${nameOrPath}` : `${nameOrPath} cannot be read`;
    throw usageFailure(
      `${what}. "${florinCommand} simulate scenario" lists those that come with Florin.`,
    );
  }
  return readScenario(readFileSync(path, "utf8"), isName ? `${nameOrPath}.yaml` : nameOrPath);
}
