import type { Command } from "commander";
import { exitCodes, usageFailure } from "../exit.ts";
import { fetchToken } from "../profile/token.ts";
import type { Session } from "../session.ts";
import { explainSignature } from "../signature/explain.ts";
import { withoutFragment } from "../signature/fragment.ts";
import { referenceOf } from "../signature/reference.ts";
import { digestHex, type Signed, sign, textToSign } from "../signature/signature.ts";
import { facts } from "../terminal/table.ts";
import { run } from "./action.ts";

const LEFT_OUT = "Bearer $TOKEN";

interface Options {
  reference?: string;
  check?: string;
  body?: string;
  token: boolean;
}

export function addSign(program: Command): void {
  const command = program
    .command("sign")
    .argument("<method>")
    .argument("<url>", "the whole address, or a path under /api/v1")
    .option("--reference <reference>", "the Reference header's value; made at random unless given")
    .option("--body <json>", "what the curl line sends")
    .option("--check <signature>", "say what is wrong with a signature that was refused")
    .option("--no-token", "do not ask for a token; the curl line has a place for it")
    .description("Print the five headers and a curl line, or explain a refused signature");
  run<Options>(command, async (session, [method = "", url = ""], options) => {
    const { clientId, clientSecret, apiUrl } = session.profile;
    const reference = referenceOf(options.reference);
    const whole = withoutFragment(wholeUrl(apiUrl, url));
    const signed = {
      method: method.toUpperCase(),
      url: options.check === undefined ? asSent(whole) : asTold(whole),
      reference,
      clientId,
      clientSecret,
    };
    if (options.check !== undefined) {
      if (options.reference === undefined)
        throw usageFailure("--check needs the --reference that was sent.");
      return explain(session, signed, options.check);
    }
    if (signed.method === "HEAD" && options.body !== undefined)
      throw usageFailure("curl sends no body with HEAD.");
    await printHeaders(session, signed, options);
    return undefined;
  });
}

/** What is typed as a path is one of the service's. */
function wholeUrl(apiUrl: string, text: string): string {
  if (/^https?:\/\//.test(text)) {
    if (!URL.canParse(text)) throw usageFailure(`${text} is no address.`);
    return text;
  }
  const path = text.startsWith("/") ? text : `/${text}`;
  return `${apiUrl}${path.startsWith("/api/") ? "" : "/api/v1"}${path}`;
}

/** As curl will send it: with escapes where an address needs them. */
const asSent = (text: string): string => new URL(text).href;

/** As a client says that it was sent, unless nobody could have sent that. */
const asTold = (text: string): string => (/^[!-~]+$/.test(text) ? text : asSent(text));

async function printHeaders(session: Session, signed: Signed, options: Options): Promise<void> {
  const { terminal, profile, isJson } = session;
  const { origin } = new URL(signed.url);
  const isOurs = [profile.apiUrl, profile.identityUrl].some(
    (own) => new URL(own).origin === origin,
  );
  if (options.token && !isOurs)
    terminal.say(`${origin} is not the service's address: the token is left out.`);
  const isTold = options.token && isOurs;
  const headers = {
    Authorization: isTold ? `Bearer ${(await fetchToken(profile)).token}` : LEFT_OUT,
    ServiceAuthorization: `ServiceAuth ${Buffer.from(profile.clientId).toString("base64")}`,
    UniqueKey: profile.uniqueKey,
    Reference: signed.reference,
    Signature: sign(signed),
  };
  if (isJson) {
    terminal.print(JSON.stringify({ method: signed.method, url: signed.url, headers }, null, 2));
    return;
  }
  terminal.print(facts(terminal, Object.entries(headers)));
  terminal.print(
    `\n${terminal.style("dim", "The text that is digested, with your clientSecret at its end:")}`,
  );
  terminal.print(textToSign({ ...signed, clientSecret: "<clientSecret>" }));
  terminal.print(`\n${curlLine(signed, headers, options.body)}`);
}

function curlLine({ method, url }: Signed, headers: Record<string, string>, body?: string): string {
  const all = body === undefined ? headers : { ...headers, "Content-Type": "application/json" };
  const parts = Object.entries(all).map(([name, value]) => `-H ${header(name, value)}`);
  if (body !== undefined) parts.push(`--data-raw ${quote(body)}`);
  // With -X HEAD curl would wait for a body.
  const how = method === "HEAD" ? "--head" : `-X ${quote(method)}`;
  return [`curl -sS --globoff ${how} ${quote(url)}`, ...parts].join(" \\\n  ");
}

/** A token that is left out stays a variable of the shell. */
const header = (name: string, value: string): string =>
  value === LEFT_OUT ? `"${name}: ${value}"` : quote(`${name}: ${value}`);

/** For a shell. */
const quote = (text: string): string =>
  /^[A-Z]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

function explain({ terminal, isJson }: Session, signed: Signed, given: string): number {
  const { isGood, findings } = explainSignature(given, signed);
  const text = textToSign({ ...signed, clientSecret: "<clientSecret>" });
  const expected = sign(signed);
  if (isJson) {
    terminal.print(JSON.stringify({ isGood, findings, given, expected, text }, null, 2));
  } else {
    const mark = isGood ? terminal.style("green", "✓") : terminal.style("red", "✗");
    terminal.print(findings.map((finding) => `${mark} ${finding}`).join("\n"));
    terminal.print(`\nWhat the service computes for ${signed.method} ${signed.url}:\n`);
    const steps = [
      ["text", text],
      ["sha1", digestHex(textToSign(signed))],
      ["Signature", expected],
      ["yours", given],
    ] as const;
    terminal.print(facts(terminal, steps));
  }
  return isGood ? exitCodes.ok : exitCodes.refused;
}
