import { createSecureContext } from "node:tls";
import { ConfigError } from "./config/config.ts";
import { allParts, readConfigFile } from "./config/files.ts";
import { type Config, configKeys } from "./config/table.ts";

/** A certificate chain and its private key, in PEM, that belong together. */
export interface Tls {
  cert: Buffer;
  key: Buffer;
}

type CertFile = "tlsCertFile" | "networkTlsCertFile";
type KeyFile = "tlsKeyFile" | "networkTlsKeyFile";

/** The certificate and the key of the files that the configuration names, if it does. */
export async function loadTls(
  config: Config,
  certName: CertFile,
  keyName: KeyFile,
): Promise<Tls | undefined> {
  const [cert, key] = await allParts([loadCert(config, certName), loadKey(config, keyName)]);
  if (cert === undefined || key === undefined) return undefined;
  expectUsable(
    { cert, key },
    `${configKeys[keyName].env}: cannot be used with ${configKeys[certName].env}`,
  );
  return { cert, key };
}

async function loadCert(config: Config, name: CertFile): Promise<Buffer | undefined> {
  const { [name]: path } = config;
  if (path === undefined) return undefined;
  const cert = await readConfigFile(configKeys[name].env, path);
  expectUsable({ cert }, `${configKeys[name].env}: ${path} is not a certificate in PEM`);
  return cert;
}

async function loadKey(config: Config, name: KeyFile): Promise<Buffer | undefined> {
  const { [name]: path } = config;
  if (path === undefined) return undefined;
  const key = await readConfigFile(configKeys[name].env, path);
  const wrong = `${configKeys[name].env}: ${path} is not a private key in PEM without a passphrase`;
  expectUsable({ key }, wrong);
  return key;
}

/** Fails now, at the start, where a listener would fail later. */
function expectUsable(pem: Partial<Tls>, wrong: string): void {
  try {
    createSecureContext(pem);
  } catch (error) {
    const { reason, message } = error as Error & { reason?: string };
    throw new ConfigError([`${wrong} (${reason ?? message})`]);
  }
}
