import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { ConfigError, expectPublicUrl, readConfig, readOperatorConfig } from "./config.ts";
import { configKeys, SANDBOX_MASTER_KEY } from "./table.ts";

const ownKey = (): string => randomBytes(32).toString("base64");

/** The least that production needs. */
const production = (): Record<string, string> => ({
  FLORIN_ENV: "production",
  FLORIN_MASTER_KEY: ownKey(),
  FLORIN_API_URL: "https://api.example.com",
  FLORIN_IDENTITY_URL: "https://id.example.com",
  FLORIN_DASHBOARD_URL: "https://app.example.com",
  FLORIN_TRUST_PROXY: "10.0.0.1",
  FLORIN_KYC_PROVIDER: "sumsub",
  ...sumsub,
});

const sumsub = {
  FLORIN_SUMSUB_BASE_URL: "https://sumsub.example.com",
  FLORIN_SUMSUB_APP_TOKEN: "token",
  FLORIN_SUMSUB_SECRET_KEY: "key",
  FLORIN_SUMSUB_WEBHOOK_SECRET: "secret",
  FLORIN_SUMSUB_NUMBER_LEVEL: "number",
  FLORIN_SUMSUB_DOCUMENT_LEVEL: "document",
  FLORIN_SUMSUB_BUSINESS_LEVEL: "business",
};

function problemsOf(
  environment: Record<string, string | undefined>,
  read: (environment: Record<string, string | undefined>) => unknown = readConfig,
): readonly string[] {
  try {
    read(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

test("an empty environment is a sandbox on loopback with the documented ports", () => {
  expect(readConfig({})).toMatchObject({
    env: "sandbox",
    isSandbox: true,
    host: "127.0.0.1",
    apiPort: 4000,
    identityPort: 4001,
    dashboardPort: 4002,
    networkPort: 4003,
    dataDir: ".florin",
    databaseUrl: undefined,
    tokenTtlS: 3600,
    rateLimitRps: 100,
    sandboxKycDelayMs: 5000,
    masterKey: SANDBOX_MASTER_KEY,
  });
});

test("empty and blank values count as unset, and values are trimmed", () => {
  const config = readConfig({ FLORIN_API_PORT: "", FLORIN_HOST: "  ", FLORIN_TOKEN_TTL_S: " 60 " });
  expect(config).toMatchObject({ apiPort: 4000, host: "127.0.0.1", tokenTtlS: 60 });
});

test.each([
  ["FLORIN_ENV", "prod"],
  ["FLORIN_API_PORT", "65536"],
  ["FLORIN_API_PORT", "-1"],
  ["FLORIN_API_PORT", "4e3"],
  ["FLORIN_API_PORT", "0x10"],
  ["FLORIN_TOKEN_TTL_S", "0"],
  ["FLORIN_RATE_LIMIT_RPS", "1.5"],
  ["FLORIN_ALLOW_PUBLIC_SANDBOX", "yes"],
  ["FLORIN_API_URL", "api.example.com"],
  ["FLORIN_API_URL", "ftp://api.example.com"],
  ["FLORIN_API_URL", "https://user@api.example.com"],
  ["FLORIN_API_URL", "https://api.example.com/?a=1"],
  ["FLORIN_DASHBOARD_URL", "https://example.com/cards"],
  ["FLORIN_LOG_LEVEL", "verbose"],
  ["FLORIN_ROLES", "api,workers"],
  ["FLORIN_ROLES", "api,"],
])("%s=%s is refused by name", (name, value) => {
  expect(problemsOf({ [name]: value })).toEqual([expect.stringContaining(name)]);
});

test.each([
  "postgres://florin:secret@a,b:5432/florin",
  "postgres://florin:secret@a:5432,b:5433/florin",
  "postgres://a,b",
  "postgres://florin:secret@db/florin?host=a,b",
  "postgres:///florin?host=a%2Cb",
  "postgres://db/florin?sslmode=require&target_session_attrs=read-write",
])("a database that is to be chosen among several is refused: %s", (url) => {
  const problems = problemsOf({ FLORIN_DATABASE_URL: url });
  expect(problems).toEqual([expect.stringMatching(/^FLORIN_DATABASE_URL must name one host/)]);
});

test.each([
  "postgres://florin:a,b@db:5432/florin",
  "postgresql://florin@[::1]:5432/florin?sslmode=require",
  "postgres://florin@db/florin?options=-c%20search_path=a,b",
  "postgres:///florin?host=/var/run/postgresql",
])("a database at one address is taken: %s", (url) => {
  expect(readConfig({ FLORIN_DATABASE_URL: url }).databaseUrl).toBe(url);
});

test("a pooler stands before a database that is named, too", () => {
  const pooler = { FLORIN_DATABASE_POOLER_URL: "postgres://florin@pooler:6432/florin" };
  expect(problemsOf(pooler)).toEqual([expect.stringMatching(/^FLORIN_DATABASE_POOLER_URL needs/)]);
  const database = { FLORIN_DATABASE_URL: "postgres://florin@db/florin" };
  expect(problemsOf({ ...pooler, ...database })).toEqual([]);
});

test.each(["/", "//", "?", "/?", "/#"])(
  "a public address loses the %s at its end, because request targets follow it as they are",
  (end) => {
    const environment = { FLORIN_API_URL: `http://localhost:4000${end}` };
    expect(readConfig(environment).apiUrl).toBe("http://localhost:4000");
  },
);

test("the dashboard's address is taken as browsers write it", () => {
  const environment = { FLORIN_DASHBOARD_URL: "HTTPS://App.Example.com:443/" };
  expect(readConfig(environment).dashboardUrl).toBe("https://app.example.com");
});

test("API and identity server may be below a path of an address, which the proxy takes away", () => {
  const below = {
    FLORIN_API_URL: "http://localhost/api",
    FLORIN_IDENTITY_URL: "http://localhost/id/",
  };
  expect(readConfig(below)).toMatchObject({
    apiUrl: "http://localhost/api",
    identityUrl: "http://localhost/id",
  });
  const own = { FLORIN_DASHBOARD_URL: "http://localhost:4002/" };
  expect(readConfig(own).dashboardUrl).toBe("http://localhost:4002");
});

test("a process has all roles unless some are named, in any order", () => {
  expect(readConfig({}).roles).toEqual(["api", "identity", "dashboard", "network", "worker"]);
  expect(readConfig({ FLORIN_ROLES: "worker, api,worker" }).roles).toEqual(["api", "worker"]);
});

test("of a listener in another process the address must be known", () => {
  const elsewhere = { FLORIN_ROLES: "api,worker", FLORIN_IDENTITY_PORT: "0" };
  expect(problemsOf(elsewhere)).toEqual([expect.stringContaining("FLORIN_IDENTITY_URL")]);
  expect(problemsOf({ ...elsewhere, FLORIN_IDENTITY_URL: "http://id.example.com" })).toEqual([]);
  expect(problemsOf({ FLORIN_ROLES: "identity" })).toEqual([
    expect.stringContaining("FLORIN_API_URL"),
  ]);
});

test("a mistyped key is told, not ignored; other programs' variables are none of its business", () => {
  expect(
    problemsOf({
      FLORIN_API_PROT: "4000",
      PATH: "/bin",
      FLORIN_TEST_DATABASE_URL: "x",
      FLORIN_CLIENT_ID: "cli_x",
    }),
  ).toEqual([expect.stringContaining("FLORIN_API_PROT")]);
});

test("a secret may be in a file, and nothing else", () => {
  const file = "/nowhere/florin";
  expect(problemsOf({ FLORIN_METRICS_TOKEN_FILE: file })).toEqual([
    `FLORIN_METRICS_TOKEN is in a file that cannot be read: ${file} (ENOENT)`,
  ]);
  const problems = problemsOf({ FLORIN_API_PORT_FILE: file });
  expect(problems).toEqual([expect.stringContaining("FLORIN_API_PORT_FILE is not a key")]);
});

test("every problem is told at once", () => {
  const problems = problemsOf({
    FLORIN_API_PORT: "x",
    FLORIN_HOST: "0.0.0.0",
    FLORIN_TLS_CERT_FILE: "cert.pem",
    FLORIN_MASTER_KEY: "short",
    FLORIN_NONSENSE: "1",
  });
  for (const name of ["API_PORT", "HOST", "TLS_KEY_FILE", "MASTER_KEY", "NONSENSE"]) {
    expect(problems.filter((problem) => problem.includes(`FLORIN_${name}`))).toHaveLength(1);
  }
  expect(problems).toHaveLength(5);
});

test.each(["127.0.0.1", "127.9.9.9", "localhost", "::1"])("a sandbox may bind %s", (host) => {
  expect(readConfig({ FLORIN_HOST: host }).host).toBe(host);
});

test.each(["0.0.0.0", "::", "192.168.1.5", "127.0.0.1.example.com", "localhost.example.com"])(
  "a sandbox binds %s only when that is allowed",
  (host) => {
    expect(problemsOf({ FLORIN_HOST: host })).toEqual([
      expect.stringContaining("FLORIN_ALLOW_PUBLIC_SANDBOX=1"),
    ]);
    expect(readConfig({ FLORIN_HOST: host, FLORIN_ALLOW_PUBLIC_SANDBOX: "1" }).host).toBe(host);
  },
);

test("production starts with its own key, https addresses and TLS, behind a proxy or by itself", () => {
  expect(readConfig(production()).isSandbox).toBe(false);
  const { FLORIN_TRUST_PROXY: _, ...direct } = production();
  const tls = { FLORIN_TLS_CERT_FILE: "cert.pem", FLORIN_TLS_KEY_FILE: "key.pem" };
  expect(readConfig({ ...direct, ...tls }).tlsCertFile).toBe("cert.pem");
});

test("production is not bound to loopback", () => {
  expect(readConfig({ ...production(), FLORIN_HOST: "0.0.0.0" }).host).toBe("0.0.0.0");
});

test("production without anything lists everything that it lacks", () => {
  const problems = problemsOf({ FLORIN_ENV: "production" }).join("\n");
  for (const name of ["MASTER_KEY", "API_URL", "IDENTITY_URL", "DASHBOARD_URL", "TLS_CERT_FILE"]) {
    expect(problems).toContain(`FLORIN_${name}`);
  }
  for (const name of ["FLORIN_KYC_PROVIDER", ...Object.keys(sumsub)]) {
    expect(problems).toContain(name);
  }
});

test("production verifies nobody by the sandbox's registry", () => {
  expect(problemsOf({ ...production(), FLORIN_KYC_PROVIDER: "sandbox" })).toEqual([
    expect.stringContaining("FLORIN_KYC_PROVIDER"),
  ]);
});

test.each(Object.keys(sumsub))("Sumsub without %s is refused, also in a sandbox", (name) => {
  const without = { ...production(), [name]: undefined };
  expect(problemsOf(without)).toEqual([expect.stringContaining(name)]);
  const sandbox = { FLORIN_KYC_PROVIDER: "sumsub", ...sumsub, [name]: undefined };
  expect(problemsOf(sandbox)).toEqual([expect.stringContaining(name)]);
});

test("a sandbox may use Sumsub, over plain http too; production may not", () => {
  const plain = { FLORIN_SUMSUB_BASE_URL: "http://127.0.0.1:1" };
  const sandbox = { FLORIN_KYC_PROVIDER: "sumsub", ...sumsub, ...plain };
  expect(readConfig(sandbox)).toMatchObject({
    kycProvider: "sumsub",
    sumsubBaseUrl: "http://127.0.0.1:1",
  });
  expect(readConfig({}).kycProvider).toBe("sandbox");
  expect(problemsOf({ ...production(), ...plain })).toEqual([
    expect.stringContaining("FLORIN_SUMSUB_BASE_URL"),
  ]);
});

test.each(["FLORIN_API_URL", "FLORIN_IDENTITY_URL", "FLORIN_DASHBOARD_URL"])(
  "production refuses a %s that is missing or plain http",
  (name) => {
    expect(problemsOf({ ...production(), [name]: "http://example.com" })).toEqual([
      expect.stringContaining(name),
    ]);
    expect(problemsOf({ ...production(), [name]: undefined })).toEqual([
      expect.stringContaining(name),
    ]);
  },
);

const publicKey = SANDBOX_MASTER_KEY.slice(SANDBOX_MASTER_KEY.indexOf(":") + 1);

test.each([
  ["as it is", SANDBOX_MASTER_KEY],
  ["under another name", `mine:${publicKey}`],
  ["without a name", publicKey],
  ["behind an own one", `new:${ownKey()},old:${publicKey}`],
  // The last character of 32 bytes in Base64 has two bits that mean nothing.
  ["with other unused bits", spelledOtherwise(publicKey)],
])("production refuses the public sandbox key %s", (_how, key) => {
  expect(problemsOf({ ...production(), FLORIN_MASTER_KEY: key })).toEqual([
    expect.stringContaining("FLORIN_MASTER_KEY"),
  ]);
});

test.each([
  ["too short", randomBytes(31).toString("base64")],
  ["too long", randomBytes(33).toString("base64")],
  ["not Base64", `${ownKey().slice(0, 20)}!!!${ownKey().slice(0, 23)}`],
  ["without its padding", ownKey().replace("=", "")],
  ["twice under one name", `a:${ownKey()},a:${ownKey()}`],
  ["one good, one bad", `a:${ownKey()},b:short`],
])("a master key that cannot be used is a problem of the configuration: %s", (_how, key) => {
  const problems = problemsOf({ ...production(), FLORIN_MASTER_KEY: key });
  expect(problems).toEqual([expect.stringContaining("FLORIN_MASTER_KEY")]);
  expect(problems.join()).not.toContain(key);
});

test.each([
  "FLORIN_TLS_CERT_FILE",
  "FLORIN_TLS_KEY_FILE",
  "FLORIN_NETWORK_TLS_CERT_FILE",
  "FLORIN_NETWORK_TLS_KEY_FILE",
])("a certificate and its key go together: not %s alone", (name) => {
  expect(problemsOf({ [name]: "x.pem" })).toEqual([
    expect.stringMatching(new RegExp(`${name}\\b.* go together`)),
  ]);
});

test.each([
  [{ FLORIN_API_PORT: "4001" }, "FLORIN_IDENTITY_PORT"],
  [{ FLORIN_DASHBOARD_PORT: "7000", FLORIN_NETWORK_PORT: "7000" }, "FLORIN_NETWORK_PORT"],
])("two listeners of one process cannot share a port: %j", (ports, later) => {
  expect(problemsOf(ports)).toEqual([
    expect.stringMatching(new RegExp(`^${later} is .* port, too`)),
  ]);
});

test.each([
  ["any free one", { FLORIN_API_PORT: "0", FLORIN_IDENTITY_PORT: "0" }],
  ["of another process's listener", { FLORIN_API_PORT: "4001", FLORIN_ROLES: "api,worker" }],
  ["of a gateway without peers", { ...production(), FLORIN_API_PORT: "4003" }],
])("a port may be named twice: %s", (_whose, ports) => {
  expect(problemsOf(ports)).toEqual([]);
});

test.each(["cards@issuer.example", "Cards <cards@issuer.example>", '"A, B" <a@[192.0.2.1]>'])(
  "the sender of letters may be %s",
  (sender) => {
    expect(readConfig({ FLORIN_MAIL_SENDER: sender }).mailSender).toBe(sender);
  },
);

test.each(["Cards", "issuer.example", "Cards <issuer.example>", "a@b.example, c@d.example"])(
  "the sender of letters needs one address, which %s is not",
  (sender) => {
    expect(problemsOf({ FLORIN_MAIL_SENDER: sender })).toEqual([
      expect.stringMatching(/^FLORIN_MAIL_SENDER must be an address/),
    ]);
  },
);

test("an operator's command in production needs its keys, and not what the service needs", () => {
  const enough = { FLORIN_ENV: "production", FLORIN_MASTER_KEY: ownKey() };
  expect(readOperatorConfig(enough).isSandbox).toBe(false);
  for (const key of [undefined, "short", SANDBOX_MASTER_KEY]) {
    const problems = problemsOf({ ...enough, FLORIN_MASTER_KEY: key }, readOperatorConfig);
    expect(problems).toEqual([expect.stringContaining("FLORIN_MASTER_KEY")]);
  }
});

test("what is set for an operator's command must be right all the same", () => {
  const problems = problemsOf(
    { FLORIN_DATABASE_ULR: "postgres://db/florin", FLORIN_DATABASE_POOL_SIZE: "x" },
    readOperatorConfig,
  );
  expect(problems).toEqual([
    expect.stringContaining("FLORIN_DATABASE_ULR"),
    expect.stringContaining("FLORIN_DATABASE_POOL_SIZE"),
  ]);
});

test.each([
  [{}, []],
  [{ FLORIN_ENV: "production", FLORIN_DASHBOARD_URL: "https://app.example.com" }, []],
  [{ FLORIN_ENV: "production", FLORIN_DASHBOARD_URL: "HTTPS://app.example.com" }, []],
  [{ FLORIN_ENV: "production" }, [expect.stringContaining("FLORIN_DASHBOARD_URL")]],
])("whoever needs the dashboard's address has it with %j: %j", (environment, problems) => {
  const config = readOperatorConfig({ ...environment, FLORIN_MASTER_KEY: ownKey() });
  expect(problemsOf({}, () => expectPublicUrl(config, "dashboardUrl"))).toEqual(problems);
});

test("every key says what it is for", () => {
  for (const key of Object.values(configKeys)) expect(key.doc.length).toBeGreaterThan(10);
});

function spelledOtherwise(base64: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const last = base64.at(-2) ?? "";
  const other = alphabet[alphabet.indexOf(last) ^ 1];
  return `${base64.slice(0, -2)}${other}=`;
}
