import { isIPv4, isIPv6 } from "node:net";

/**
 * The key under which a client's address is limited. An IPv6 subscriber owns a whole /64, and may
 * send each request from another address in it, so that the prefix is the key.
 */
export function addressKey(ip: string): string {
  if (isIPv4(ip)) return ip;
  const [address = ""] = ip.split("%");
  if (!isIPv6(address)) return ip;
  const groups = groupsOf(address);
  const isMappedIPv4 = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMappedIPv4) return groups.slice(6).flatMap(bytesOf).join(".");
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`;
}

/** Whether a host, as a setting or a URL names it, is this machine itself. */
export const isLoopback = (host: string): boolean =>
  /^(localhost|127(\.\d+){3}|::1|\[::1\])$/.test(host);

/** The eight groups of a valid IPv6 address. */
function groupsOf(address: string): number[] {
  const [head = "", tail] = address.split("::");
  const left = parseGroups(head);
  if (tail === undefined) return left;
  const right = parseGroups(tail);
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}

function parseGroups(text: string): number[] {
  if (text === "") return [];
  return text.split(":").flatMap((group) => {
    if (!group.includes(".")) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split(".").map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}

function bytesOf(group: number): [number, number] {
  return [group >> 8, group & 255];
}
