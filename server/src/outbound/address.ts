import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Whom we may call: in a sandbox also this machine and its neighbours, in production the public only. */
export type Reach = "PrivateToo" | "PublicOnly";

export const reachOf = ({ isSandbox }: { isSandbox: boolean }): Reach =>
  isSandbox ? "PrivateToo" : "PublicOnly";

type IPv4 = ipaddr.IPv4;
type IPv6 = ipaddr.IPv6;

const PUBLIC: ReadonlySet<string> = new Set(["unicast"]);
const PRIVATE: ReadonlySet<string> = new Set([
  "loopback",
  "private",
  "uniqueLocal",
  "carrierGradeNat",
]);

/** Where clouds answer their own machines with credentials; the link-local ones are refused as such. */
const METADATA: ReadonlySet<string> = new Set([
  "100.100.100.200", // Alibaba
  "168.63.129.16", // Azure, in public space
  "192.0.0.192", // Oracle
  "fd00:ec2::254", // AWS
  "fd00:42::42", // Scaleway
  "fd20:ce::254", // Google
]);

/** Why an address must not be connected to, in words that follow its field's name; undefined if it may be. */
export function addressProblem(address: string, reach: Reach): string | undefined {
  const [bare = ""] = address.split("%");
  if (isIP(bare) === 0) return "must be a valid address";
  const parsed = ipaddr.parse(bare);
  if (parsed.kind() === "ipv4") return problemOf(parsed, reach);
  const six = parsed as IPv6;
  const inside = tunnelled(six);
  if (inside !== undefined) return problemOf(six, reach) ?? problemOf(inside, reach);
  return problemOf(embedded(six) ?? six, reach);
}

function problemOf(address: IPv4 | IPv6, reach: Reach): string | undefined {
  const range = rangeOf(address);
  if (METADATA.has(address.toString()) || !(PUBLIC.has(range) || PRIVATE.has(range))) {
    return "must not be a link-local, metadata or reserved address";
  }
  return reach === "PublicOnly" && !PUBLIC.has(range) ? "must be a public address" : undefined;
}

function rangeOf(address: IPv4 | IPv6): string {
  const range: string = address.range();
  // Only an eighth of IPv6 has been given to anybody; the library takes all that it does not know for public.
  const isUnassigned =
    range === "unicast" &&
    address.kind() === "ipv6" &&
    ((address as IPv6).parts[0] ?? 0) >> 13 !== 1;
  return isUnassigned ? "reserved" : range;
}

/** The IPv4 address that an IPv6 address stands for, if it does: that is where the packets end up. */
function embedded(address: IPv6): IPv4 | undefined {
  const [a = 0, b = 0, c = 0, , , , g = 0, h = 0] = address.parts;
  const range: string = address.range();
  if (range === "6to4") return toIPv4(b, c);
  if (range === "ipv4Mapped" || range === "rfc6145") return toIPv4(g, h);
  // The prefix for NAT64 everywhere. Others lie where networks choose; those stay reserved here.
  if (a === 0x64 && b === 0xff9b && c === 0) return toIPv4(g, h);
  const isCompatible = address.parts.slice(0, 6).every((part) => part === 0) && g !== 0;
  return isCompatible ? toIPv4(g, h) : undefined;
}

/**
 * The IPv4 address behind a router that speaks ISATAP. Where there is none the IPv6 address is one like
 * any other, with any prefix, so both must be good.
 */
function tunnelled(address: IPv6): IPv4 | undefined {
  const [, , , , e = 0, f = 0, g = 0, h = 0] = address.parts;
  return (e & 0xfdff) === 0 && f === 0x5efe ? toIPv4(g, h) : undefined;
}

function toIPv4(high: number, low: number): IPv4 {
  return new ipaddr.IPv4([high >> 8, high & 255, low >> 8, low & 255]);
}
