import type { Key } from "./keys.ts";
import { masterKeyProblems, type PublicUrl, problemsTogether, publicUrlProblems } from "./rules.ts";
import { type Config, configKeys } from "./table.ts";
import { type Environment, fileKeyOf, givenFor } from "./values.ts";

/** Says everything that is wrong at once, so that a deployment is mended in one go. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(
      `The configuration has ${problems.length} problem(s):\n${problems.map((p) => `  - ${p}`).join("\n")}`,
    );
    this.name = "ConfigError";
    this.problems = problems;
  }
}

interface Examined {
  config: Config;
  problems: string[];
}

/** What the service needs. */
export function readConfig(environment: Environment): Config {
  return accept(examineConfig(environment));
}

/** What an operator's command needs: the database and the keys. What is set must be right all the same. */
export function readOperatorConfig(environment: Environment): Config {
  const { config, problems } = readValues(environment);
  return accept({ config, problems: [...problems, ...masterKeyProblems(config)] });
}

/** The service's configuration with its problems, for a caller that looks for more of them. */
export function examineConfig(environment: Environment): Examined {
  const { config, problems } = readValues(environment);
  return { config, problems: [...problems, ...problemsTogether(config)] };
}

/** Fails where a public address is needed that is not fit for production. */
export function expectPublicUrl(config: Config, name: PublicUrl): void {
  accept({ config, problems: publicUrlProblems(config, [name]) });
}

function accept({ config, problems }: Examined): Config {
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

function readValues(environment: Environment): Examined {
  const problems = unknownKeys(environment);
  const values = Object.fromEntries(
    Object.entries<Key<unknown>>(configKeys).map(([name, key]) => {
      try {
        const given = givenFor(key, environment);
        return [name, given === undefined ? key.fallback : key.parse(given)];
      } catch (error) {
        problems.push(`${key.env} ${error instanceof Error ? error.message : String(error)}`);
        return [name, key.fallback];
      }
    }),
  ) as unknown as Omit<Config, "isSandbox">;

  return { config: { ...values, isSandbox: values.env === "sandbox" }, problems };
}

/** Our tests' own keys, those of clients, and what Kubernetes sets for a service that is called florin. */
const FOREIGN =
  /^FLORIN_(TEST_|CLIENT_(ID|SECRET)$|UNIQUE_KEY$|WEBHOOK_SECRET$|SERVICE_(HOST|PORT)|PORT($|_\d))/;

function unknownKeys(environment: Environment): string[] {
  const known = new Set(
    Object.values(configKeys).flatMap((key) => (key.secret ? [key.env, fileKeyOf(key)] : key.env)),
  );
  return Object.keys(environment)
    .filter((name) => name.startsWith("FLORIN_") && !FOREIGN.test(name) && !known.has(name))
    .map((name) => `${name} is not a key of Florin; see docs/configuration.md`);
}
