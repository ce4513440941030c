import { BlockList, isIP } from "node:net";
import { z } from "zod";
import { ConfigError } from "../../foundation/config/config.ts";
import { readConfigFile } from "../../foundation/config/files.ts";
import { isNetwork } from "../../foundation/config/keys.ts";
import { configKeys } from "../../foundation/config/table.ts";
import { Failure } from "../../foundation/failure.ts";
import { parseStrictJson } from "../../foundation/strict-json.ts";
import { problemsIn, wordsFor } from "../../http/words.ts";
import { withoutZeros } from "../../transactions/iso-name.ts";

/** Somebody who may send messages. */
export interface Peer {
  /** For logs and metrics. */
  readonly name: string;
  isFrom(address: string): boolean;
  /** SHA-256 fingerprints of the certificates it may show; none: it needs none. */
  readonly certificates: readonly string[];
  /** Whether it brings this acquirer's messages, and may take up its payments. */
  serves(acquirer: string): boolean;
  /** Whether it must sign on before it sends anything about cards. */
  readonly requireSignOn: boolean;
  readonly maxConnections: number;
  /** Messages of one connection that are under way at once; the next are not read before. */
  readonly maxInFlight: number;
}

const MAX_PEERS = 100;
const KEY = configKeys.networkPeersFile.env;

const fingerprint = z
  .string()
  .regex(/^([0-9A-Fa-f]{2}:?){32}$/, "must be a SHA-256 fingerprint of 64 hexadecimal digits")
  .transform(normalized);

const PeerEntry = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "must be 1 to 40 lower-case letters, digits or hyphens"),
  addresses: z
    .string()
    .refine(isNetwork, "must be an address or a network")
    .array()
    .min(1)
    .max(100),
  certificates: fingerprint.array().max(10).default([]),
  acquirers: z
    .string()
    .regex(/^\d{1,11}$/, "must be 1 to 11 digits")
    .array()
    .max(1_000)
    .default([]),
  requireSignOn: z.boolean().optional(),
  maxConnections: z.int().min(1).max(1_000).default(8),
  maxInFlight: z.int().min(1).max(4_096).default(256),
});

interface PeerRules {
  isSandbox: boolean;
  /** Whether connections are encrypted, so that every peer must show a certificate. */
  isTls: boolean;
}

/** The peers of the configured file; in a sandbox without one, whoever is on this machine. */
export async function loadPeers(path: string | undefined, rules: PeerRules): Promise<Peer[]> {
  if (path === undefined) return rules.isSandbox ? [LOOPBACK] : [];
  return readPeers(String(await readConfigFile(KEY, path)), rules);
}

const LOOPBACK: Peer = {
  name: "loopback",
  isFrom: addressesOf(["127.0.0.0/8", "::1"]),
  certificates: [],
  serves: () => true,
  requireSignOn: false,
  maxConnections: 256,
  maxInFlight: 256,
};

/** Tells everything that is wrong with the file at once. */
export function readPeers(fileText: string, { isSandbox, isTls }: PeerRules): Peer[] {
  const entries = parseJson(fileText);
  const read = z.array(PeerEntry).min(1).max(MAX_PEERS).safeParse(entries, { error: wordsFor });
  if (!read.success) throw wrongFile(problemsIn(read.error));
  const problems = read.data.flatMap(({ name, certificates }, index) => [
    ...(read.data.findIndex((other) => other.name === name) < index ? [`${name} is twice`] : []),
    ...(isTls && certificates.length === 0 ? [`${name} needs certificates, because of TLS`] : []),
    ...(!isTls && certificates.length > 0 ? [`${name} has certificates, but there is no TLS`] : []),
  ]);
  if (problems.length > 0) throw wrongFile(problems);
  return read.data.map(({ addresses, acquirers, requireSignOn = !isSandbox, ...peer }) => ({
    ...peer,
    requireSignOn,
    isFrom: addressesOf(addresses),
    serves: acquirersOf(acquirers),
  }));
}

/** The first peer in the list that this address and certificate may be. */
export function peerOf(
  peers: readonly Peer[],
  address: string,
  certificate: string | undefined,
): Peer | undefined {
  return peers.find(
    (peer) =>
      peer.isFrom(address) &&
      (peer.certificates.length === 0 ||
        (certificate !== undefined && peer.certificates.includes(normalized(certificate)))),
  );
}

function normalized(fingerprint: string): string {
  return fingerprint.replaceAll(":", "").toLowerCase();
}

function addressesOf(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    const family = isIP(address) === 4 ? "ipv4" : "ipv6";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => list.check(address, isIP(address) === 4 ? "ipv4" : "ipv6");
}

/** As DE 32 and DE 90 write them, with zeros before them or without; none: anybody. */
function acquirersOf(acquirers: readonly string[]): (acquirer: string) => boolean {
  const known = new Set(acquirers.map(withoutZeros));
  return (acquirer) => known.size === 0 || known.has(withoutZeros(acquirer));
}

function parseJson(fileText: string): unknown {
  try {
    return parseStrictJson(fileText);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw wrongFile([error.message.replace(/^The body/, "the file")]);
  }
}

const wrongFile = (problems: string[]): ConfigError =>
  new ConfigError(problems.map((problem) => `${KEY}: ${problem}`));
