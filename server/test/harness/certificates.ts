import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Whether certificates can be made here. */
export const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

/** A certificate that only vouches for itself, and its key; as `NAME.crt` and `NAME.key`. */
export function writeCertificate(
  directory: string,
  name: string,
  subjectAltName = `DNS:${name}`,
): { cert: string; key: string } {
  const [cert, key] = [join(directory, `${name}.crt`), join(directory, `${name}.key`)];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const subject = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=${subjectAltName}`];
  const files = ["-keyout", key, "-out", cert];
  execFileSync("openssl", ["req", "-x509", "-days", "1", ...kind, ...subject, ...files], {
    stdio: "ignore",
  });
  return { cert, key };
}

/** The same, for a server of the test's own. */
export function makeCertificate(
  name: string,
  subjectAltName?: string,
): { cert: Buffer; key: Buffer } {
  const directory = mkdtempSync(join(tmpdir(), "florin-certificate-"));
  try {
    const { cert, key } = writeCertificate(directory, name, subjectAltName);
    return { cert: readFileSync(cert), key: readFileSync(key) };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
