import { isLoopback } from "../address.ts";
import { parseMasterKeys } from "../keyring.ts";
import { type Config, configKeys, SANDBOX_MASTER_KEY } from "./table.ts";

/** What is wrong with values that are right each by itself. */
export function problemsTogether(config: Config): string[] {
  const problems = [
    ...masterKeyProblems(config),
    ...sumsubProblems(config),
    ...addressProblems(config),
    ...portProblems(config),
  ];
  if ((config.tlsCertFile === undefined) !== (config.tlsKeyFile === undefined)) {
    problems.push("FLORIN_TLS_CERT_FILE and FLORIN_TLS_KEY_FILE go together");
  }
  if ((config.networkTlsCertFile === undefined) !== (config.networkTlsKeyFile === undefined)) {
    problems.push("FLORIN_NETWORK_TLS_CERT_FILE and FLORIN_NETWORK_TLS_KEY_FILE go together");
  }
  if (config.databasePoolerUrl !== undefined && config.databaseUrl === undefined) {
    problems.push(
      "FLORIN_DATABASE_POOLER_URL needs FLORIN_DATABASE_URL, which leads past the pooler",
    );
  }
  if (config.isSandbox) {
    if (!isLoopback(config.host) && !config.allowPublicSandbox) {
      problems.push(
        "FLORIN_HOST of a sandbox is not loopback: that needs FLORIN_ALLOW_PUBLIC_SANDBOX=1",
      );
    }
    return problems;
  }
  return [...problems, ...productionProblems(config)];
}

export function masterKeyProblems({ masterKey, isSandbox }: Config): string[] {
  if (!isSandbox && usesSandboxKey(masterKey)) {
    return [
      "FLORIN_MASTER_KEY is missing or the sandbox's: production needs its own (openssl rand -base64 32)",
    ];
  }
  try {
    parseMasterKeys(masterKey);
    return [];
  } catch (error) {
    return [`FLORIN_MASTER_KEY: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/**
 * A process without the role `identity` or `dashboard` cannot know where that listener is if its port is 0, any
 * free one. Without the role `api` it never knows: its own FLORIN_API_PORT is for health and metrics, and
 * tokens must not be made out to that address.
 */
function addressProblems(config: Config): string[] {
  return (["api", "identity", "dashboard"] as const)
    .filter((name) => !config.roles.includes(name) && config[`${name}Url`] === undefined)
    .filter((name) => name === "api" || config[`${name}Port`] === 0)
    .map((name) => {
      const { env } = configKeys[`${name}Url`];
      return `${env} is missing: a process without the role ${name} cannot know where it is`;
    });
}

const ports = ["apiPort", "identityPort", "dashboardPort", "networkPort"] as const;

/** The second to bind a port would fail, but after the database was touched, and as if by another program. */
function portProblems(config: Config): string[] {
  const open = ports.filter((name) => config[name] !== 0 && isOpened(name, config));
  return open.flatMap((name, index) => {
    const first = open.slice(0, index).find((other) => config[other] === config[name]);
    if (first === undefined) return [];
    return [`${configKeys[name].env} is ${configKeys[first].env}'s port, too: each needs its own`];
  });
}

function isOpened(name: (typeof ports)[number], config: Config): boolean {
  const { roles, isSandbox, networkPeersFile } = config;
  if (name === "identityPort") return roles.includes("identity");
  if (name === "dashboardPort") return roles.includes("dashboard");
  if (name === "apiPort") return true;
  return roles.includes("network") && (isSandbox || networkPeersFile !== undefined);
}

const publicUrls = ["apiUrl", "identityUrl", "dashboardUrl"] as const;
export type PublicUrl = (typeof publicUrls)[number];

export function publicUrlProblems(config: Config, names: readonly PublicUrl[]): string[] {
  if (config.isSandbox) return [];
  return names
    .filter((name) => !/^https:/i.test(config[name] ?? ""))
    .map((name) => `${configKeys[name].env} must be an https address in production`);
}

const sumsubKeys = [
  "sumsubBaseUrl",
  "sumsubAppToken",
  "sumsubSecretKey",
  "sumsubWebhookSecret",
  "sumsubNumberLevel",
  "sumsubDocumentLevel",
  "sumsubBusinessLevel",
] as const;

function sumsubProblems(config: Config): string[] {
  if (config.isSandbox && config.kycProvider !== "sumsub") return [];
  return sumsubKeys
    .filter((name) => config[name] === undefined)
    .map((name) => `${configKeys[name].env} is missing: verification by Sumsub needs it`);
}

function productionProblems(config: Config): string[] {
  const problems = publicUrlProblems(config, publicUrls);
  if (config.kycProvider === "sandbox") {
    problems.push(
      "FLORIN_KYC_PROVIDER must be sumsub in production, which has no sandbox registry",
    );
  }
  if (config.sumsubBaseUrl?.startsWith("http://")) {
    problems.push("FLORIN_SUMSUB_BASE_URL must be an https address in production");
  }
  if (config.smtpUrl !== undefined && config.mailSender === configKeys.mailSender.fallback) {
    problems.push("FLORIN_MAIL_SENDER is missing: letters need a sender in production");
  }
  if (config.tlsCertFile === undefined && config.trustProxy === undefined) {
    problems.push(
      "Production needs TLS: FLORIN_TLS_CERT_FILE and FLORIN_TLS_KEY_FILE, or a proxy declared by FLORIN_TRUST_PROXY",
    );
  }
  return problems;
}

/** Compared as bytes: one key has several spellings in Base64. */
function usesSandboxKey(masterKey: string): boolean {
  const bytesOf = (part: string): Buffer =>
    Buffer.from(part.slice(part.indexOf(":") + 1), "base64");
  const sandboxKey = bytesOf(SANDBOX_MASTER_KEY);
  return masterKey.split(",").some((part) => bytesOf(part.trim()).equals(sandboxKey));
}
