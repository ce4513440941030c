import { isIP } from "node:net";
import { addressProblem, type Reach } from "./address.ts";

const MAX_URL_LENGTH = 2048;

/**
 * Reads an address to call, or says what is wrong with it. What its name leads to is checked when it is
 * connected to; a literal address is known already, in whatever spelling, because URLs normalize it.
 */
export function readUrl(text: string, reach: Reach): { url: URL } | { problem: string } {
  if (text.length > MAX_URL_LENGTH) {
    return { problem: `must be at most ${MAX_URL_LENGTH} characters` };
  }
  if (/[\s\p{Cc}\\]/u.test(text) || !URL.canParse(text)) return { problem: "must be a valid URL" };
  const url = new URL(text);
  const problem = problemOf(url, reach);
  return problem === undefined ? { url } : { problem };
}

function problemOf(url: URL, reach: Reach): string | undefined {
  if (url.protocol !== "https:" && (url.protocol !== "http:" || reach === "PublicOnly")) {
    return reach === "PublicOnly" ? "must be an https URL" : "must be an http or https URL";
  }
  if (url.username !== "" || url.password !== "") return "must not hold a user or password";
  if (isMetadataName(url.hostname)) return "must not be a link-local, metadata or reserved address";
  const host = isLocalName(url.hostname) ? "127.0.0.1" : hostOf(url);
  return isIP(host) === 0 ? undefined : addressProblem(host, reach);
}

/** Names that stand for this machine everywhere, whatever a name server says. */
export const isLocalName = (name: string): boolean => /(^|\.)localhost\.?$/i.test(name);

/** Names of what clouds tell their own machines: told at once, not only where a name server knows them. */
const isMetadataName = (name: string): boolean =>
  /^(metadata\.google\.internal|metadata\.goog|instance-data\.ec2\.internal)\.?$/i.test(name);

/** The name or address, without the brackets that IPv6 has in URLs. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
}
