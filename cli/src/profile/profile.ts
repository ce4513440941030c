import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { usageFailure } from "../exit.ts";
import { florinCommand, projectRoot } from "../project.ts";

/** Whom the commands act for, and where. */
export interface Profile {
  apiUrl: string;
  identityUrl: string;
  clientId: string;
  clientSecret: string;
  uniqueKey: string;
  /** Signs what the service sends to the client; known in a sandbox, or when it is told. */
  webhookSecret?: string;
  dashboardUrl?: string;
  /** Where this was found, for people. */
  source: string;
}

type Values = Partial<Record<(typeof NAMES)[number], string>>;

const REQUIRED = ["clientId", "clientSecret", "uniqueKey", "apiUrl", "identityUrl"] as const;
const NAMES = [...REQUIRED, "webhookSecret", "dashboardUrl"] as const;

const VARIABLES = {
  clientId: "FLORIN_CLIENT_ID",
  clientSecret: "FLORIN_CLIENT_SECRET",
  uniqueKey: "FLORIN_UNIQUE_KEY",
  apiUrl: "FLORIN_API_URL",
  identityUrl: "FLORIN_IDENTITY_URL",
} as const;

/** The file that was named, else what the environment says, with the sandbox's own file for the rest. */
export function readProfile(env: NodeJS.ProcessEnv, file?: string): Profile {
  if (file !== undefined) return complete(readValues(file, "must"), file);
  const fromEnv = readEnvironment(env);
  if (fromEnv.clientId !== undefined) {
    // Another client's secrets would never fit, so nothing of the sandbox's is mixed in.
    return complete({ ...DEFAULT_ADDRESSES, ...fromEnv }, "the environment");
  }
  const path = sandboxFile(env);
  const found = readValues(path, "may");
  if (found === undefined) {
    throw usageFailure(
      `${path} cannot be read: is the sandbox running (npm start)? ` +
        "Otherwise name a file with --profile, or set FLORIN_CLIENT_ID and the others.",
    );
  }
  return complete({ ...found, ...fromEnv }, path, fromEnv);
}

const DEFAULT_ADDRESSES = {
  apiUrl: "http://127.0.0.1:4000",
  identityUrl: "http://127.0.0.1:4001",
};

/** What to type so that the next command acts for whom this one does, in a terminal where nothing is set. */
export function nextCommand(env: NodeJS.ProcessEnv, file?: string): string {
  if (file !== undefined) return `${florinCommand} --profile ${quoted(file)}`;
  const folder = env.FLORIN_DATA_DIR;
  const isUsual = !folder || resolve(folder) === resolve(usualFolder());
  // Credentials of the environment are secret, so they stay where they are.
  if (isUsual || env.FLORIN_CLIENT_ID) return florinCommand;
  return `FLORIN_DATA_DIR=${quoted(resolve(folder))} ${florinCommand}`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function sandboxFile(env: NodeJS.ProcessEnv): string {
  return join(env.FLORIN_DATA_DIR || usualFolder(), "sandbox.json");
}

const usualFolder = (): string => join(projectRoot() ?? process.cwd(), ".florin");

function readEnvironment(env: NodeJS.ProcessEnv): Values {
  const entries = Object.entries(VARIABLES).map(([name, variable]) => [name, env[variable]]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== ""));
}

function readValues(path: string, presence: "must"): Values;
function readValues(path: string, presence: "may"): Values | undefined;
function readValues(path: string, presence: "must" | "may"): Values | undefined {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    // What stands in the file is secret, and a parser's message would quote it.
    if (error instanceof SyntaxError) throw usageFailure(`${path} is not JSON.`);
    if (presence === "may") return undefined;
    throw usageFailure(`${path} cannot be read.`);
  }
  if (typeof content !== "object" || content === null) throw usageFailure(`${path} is no profile.`);
  const known = Object.entries(content).filter(
    ([name, value]) => (NAMES as readonly string[]).includes(name) && typeof value === "string",
  );
  return Object.fromEntries(known);
}

function complete(values: Values, source: string, fromEnv: Values = {}): Profile {
  const missing = REQUIRED.filter((name) => !values[name]);
  if (missing.length > 0) {
    const names = source === "the environment" ? missing.map((name) => VARIABLES[name]) : missing;
    throw usageFailure(`${source} lacks ${names.join(", ")}.`);
  }
  const profile = { ...values, source } as Profile;
  const address = (name: "apiUrl" | "identityUrl"): string =>
    checkedAddress(profile[name], fromEnv[name] === undefined ? source : VARIABLES[name]);
  // A start prints the API's address with the path that all calls have anyway.
  const apiUrl = address("apiUrl").replace(/\/api\/v1$/, "");
  return { ...profile, apiUrl, identityUrl: address("identityUrl") };
}

function checkedAddress(text: string, source: string): string {
  if (!/^https?:\/\/[^\s]+$/.test(text) || !URL.canParse(text)) {
    throw usageFailure(`${source} has an address that is none: ${text}`);
  }
  return text.replace(/\/+$/, "");
}
