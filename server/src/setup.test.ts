import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeCertificate } from "../test/harness/certificates.ts";
import { ConfigError } from "./foundation/config/config.ts";
import { readSetup } from "./setup.ts";

const directory = mkdtempSync(join(tmpdir(), "florin-setup-"));
const path = (name: string): string => join(directory, name);

beforeAll(() => {
  for (const name of ["ours", "theirs"]) writeCertificate(directory, name);
  const encrypted = ["-aes256", "-passout", "pass:secret", "-out", path("encrypted.key")];
  execFileSync("openssl", ["ec", "-in", path("ours.key"), ...encrypted], { stdio: "ignore" });
  writeFileSync(path("prose.txt"), "This is no PEM.\n");
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function problemsOf(environment: Record<string, string>): Promise<readonly string[]> {
  const error: unknown = await readSetup(environment).then(
    () => new ConfigError([]),
    (reason: unknown) => reason,
  );
  if (error instanceof ConfigError) return error.problems;
  throw error;
}

test("what is wrong with keys and with files is told at once, each with its key and its file", async () => {
  expect(
    await problemsOf({
      FLORIN_LOG_LEVEL: "verbose",
      FLORIN_PROGRAMMES_FILE: path("no-programmes"),
      FLORIN_NETWORK_PEERS_FILE: path("no-peers"),
      FLORIN_TLS_CERT_FILE: path("no-cert"),
      FLORIN_TLS_KEY_FILE: path("no-key"),
      FLORIN_NETWORK_TLS_CERT_FILE: path("no-network-cert"),
      FLORIN_NETWORK_TLS_KEY_FILE: path("no-network-key"),
    }),
  ).toEqual([
    expect.stringMatching(/^FLORIN_LOG_LEVEL must be one of/),
    `FLORIN_PROGRAMMES_FILE: ${path("no-programmes")} cannot be read (ENOENT)`,
    `FLORIN_NETWORK_PEERS_FILE: ${path("no-peers")} cannot be read (ENOENT)`,
    `FLORIN_TLS_CERT_FILE: ${path("no-cert")} cannot be read (ENOENT)`,
    `FLORIN_TLS_KEY_FILE: ${path("no-key")} cannot be read (ENOENT)`,
    `FLORIN_NETWORK_TLS_CERT_FILE: ${path("no-network-cert")} cannot be read (ENOENT)`,
    `FLORIN_NETWORK_TLS_KEY_FILE: ${path("no-network-key")} cannot be read (ENOENT)`,
  ]);
});

test("files that the database's addresses name are among them", async () => {
  const url = (file: string): string =>
    `postgres://db.example/florin?sslmode=verify-full&sslrootcert=${encodeURIComponent(file)}`;
  expect(
    await problemsOf({
      FLORIN_LOG_LEVEL: "verbose",
      FLORIN_DATABASE_URL: url(path("no-ca")),
      FLORIN_DATABASE_POOLER_URL: url(path("no-pooler-ca")),
    }),
  ).toEqual([
    expect.stringMatching(/^FLORIN_LOG_LEVEL must be one of/),
    `FLORIN_DATABASE_URL: ${path("no-ca")} cannot be read (ENOENT)`,
    `FLORIN_DATABASE_POOLER_URL: ${path("no-pooler-ca")} cannot be read (ENOENT)`,
  ]);
  expect(await problemsOf({ FLORIN_DATABASE_URL: url(path("ours.crt")) })).toEqual([]);
});

test("what is wrong inside the files is told at once, too", async () => {
  const file = path("empty-list.json");
  writeFileSync(file, "[]");
  const problems = await problemsOf({
    FLORIN_PROGRAMMES_FILE: file,
    FLORIN_NETWORK_PEERS_FILE: file,
  });
  expect(problems).toEqual([
    expect.stringMatching(/^FLORIN_PROGRAMMES_FILE: .*list of 1 to/),
    expect.stringMatching(/^FLORIN_NETWORK_PEERS_FILE: /),
  ]);
});

test.each([
  ["of the listeners", "FLORIN_TLS"],
  ["of the network", "FLORIN_NETWORK_TLS"],
])("a certificate %s and its key are read", async (_whose, prefix) => {
  const setup = await readSetup({
    [`${prefix}_CERT_FILE`]: path("ours.crt"),
    [`${prefix}_KEY_FILE`]: path("ours.key"),
  });
  const read = prefix === "FLORIN_TLS" ? setup.tls : setup.networkTls;
  expect(String(read?.cert)).toContain("BEGIN CERTIFICATE");
  expect(String(read?.key)).toContain("PRIVATE KEY");
});

test.each([
  ["prose.txt", "ours.key", [/^FLORIN_TLS_CERT_FILE: \S+prose.txt is not a certificate in PEM/]],
  ["ours.key", "ours.key", [/^FLORIN_TLS_CERT_FILE: \S+ours.key is not a certificate in PEM/]],
  ["ours.crt", "prose.txt", [/^FLORIN_TLS_KEY_FILE: \S+prose.txt is not a private key in PEM/]],
  ["ours.crt", "encrypted.key", [/^FLORIN_TLS_KEY_FILE: .* without a passphrase/]],
  ["prose.txt", "prose.txt", [/^FLORIN_TLS_CERT_FILE/, /^FLORIN_TLS_KEY_FILE/]],
  ["theirs.crt", "ours.key", [/^FLORIN_TLS_KEY_FILE: .* FLORIN_TLS_CERT_FILE .*mismatch/]],
])("%s as certificate and %s as key: one line for each problem", async (cert, key, lines) => {
  const problems = await problemsOf({
    FLORIN_TLS_CERT_FILE: path(cert),
    FLORIN_TLS_KEY_FILE: path(key),
  });
  expect(problems).toEqual(lines.map((line) => expect.stringMatching(line)));
  expect(problems.join()).not.toContain("\n");
});
