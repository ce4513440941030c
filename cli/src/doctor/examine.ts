import { Florin, FlorinError } from "@florin/sdk";
import { reasonOf } from "../connection-failure.ts";
import { CommandFailure, exitCodes } from "../exit.ts";
import { type Profile, readProfile } from "../profile/profile.ts";
import { fetchToken } from "../profile/token.ts";
import { florinCommand } from "../project.ts";
import { isSandbox } from "../sandbox/is-sandbox.ts";
import { durationText } from "../terminal/duration.ts";

/** One thing that was looked at. */
export interface Finding {
  what: string;
  result: "ok" | "warning" | "problem";
  seen: string;
  /** What to do about it. */
  advice?: string;
  isUnreachable?: boolean;
}

interface Wanted {
  profile?: string | undefined;
  receiver?: string | undefined;
}

const TIMEOUT_MS = 5_000;
const MAX_SKEW_S = 60;

/** Looks at one thing after another, from the ground up; stops where nothing above can work. */
export async function* examine(
  env: NodeJS.ProcessEnv,
  wanted: Wanted,
): AsyncGenerator<Finding, void> {
  yield nodeVersion(process.versions.node);
  let profile: Profile;
  try {
    profile = readProfile(env, wanted.profile);
  } catch (error) {
    yield problem(
      "credentials",
      messageOf(error),
      "Start the sandbox (npm start); it writes sandbox.json.",
    );
    return;
  }
  yield ok("credentials", `from ${profile.source}`);
  const service = await lookAt("service", `${profile.apiUrl}/readyz`);
  yield service.finding;
  if (service.answer === undefined) return;
  yield skewOf(service.answer);
  if (service.answer.status === 503) {
    yield (await isOutdated(service.answer))
      ? problem("database", "a newer Florin has migrated it", "Start that version instead.")
      : problem("database", "the service cannot use its database", databaseAdvice(env));
    return;
  }
  yield ok("database", "the service can use it");
  const sandbox = await isSandbox(profile.apiUrl);
  yield ok("environment", sandbox === true ? "sandbox" : "production");
  yield* examineClient(profile, sandbox === true);
  if (wanted.receiver !== undefined) yield await receiverAt(wanted.receiver);
}

async function* examineClient(
  profile: Profile,
  isInSandbox: boolean,
): AsyncGenerator<Finding, void> {
  try {
    const { scope, expiresInS } = await fetchToken(profile);
    yield ok("token", `${scope}, for ${Math.round(expiresInS / 60)} minutes`);
  } catch (error) {
    const isUnreachable =
      error instanceof CommandFailure && error.exitCode === exitCodes.unreachable;
    const advice = isUnreachable
      ? "Is FLORIN_IDENTITY_URL the identity server's address?"
      : "clientId and clientSecret do not go together; after a rotation, take the new secret.";
    yield { ...problem("token", messageOf(error), advice), isUnreachable };
    return;
  }
  const florin = new Florin({ ...profile, maxRetries: 0 });
  try {
    const wallets = await florin.wallets.list();
    yield ok(
      "signed request",
      `accepted; ${wallets.length} wallet${wallets.length === 1 ? "" : "s"}`,
    );
  } catch (error) {
    yield problem("signed request", messageOf(error), requestAdvice(error));
    return;
  }
  if (isInSandbox) yield await sandboxClock(florin);
  yield* examineWebhooks(florin);
}

async function* examineWebhooks(florin: Florin): AsyncGenerator<Finding, void> {
  const endpoints = await florin.webhookEndpoints.list().toArray(100);
  if (endpoints.length === 0) {
    yield ok("webhooks", `no endpoints; ${florinCommand} listen --forward-to URL needs none`);
  }
  for (const { webhookEndpointId, url, status } of endpoints) {
    if (status === "Disabled") {
      yield problem(
        "webhooks",
        `${url} is disabled`,
        `Mend it, then: ${florinCommand} request PATCH /webhook-endpoints/${webhookEndpointId} --body '{"status":"Enabled"}'`,
      );
      continue;
    }
    const { httpStatus, error } = await florin.webhookEndpoints.test(webhookEndpointId);
    const isGood = httpStatus !== null && httpStatus >= 200 && httpStatus < 300;
    yield isGood
      ? ok("webhooks", `${url} answers ${httpStatus} to a test`)
      : problem(
          "webhooks",
          `${url} does not accept a test: ${error ?? httpStatus}`,
          "It must answer 2xx within 10 seconds, from where the service runs.",
        );
  }
}

function nodeVersion(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    return problem("Node.js", version, "Install 20.19 or newer; 24 is recommended.");
  }
  return ok("Node.js", version);
}

async function lookAt(what: string, url: string): Promise<{ finding: Finding; answer?: Response }> {
  try {
    const answer = await fetch(url, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: "manual",
    });
    return { finding: ok(what, `${new URL(url).origin} answers`), answer };
  } catch (error) {
    const seen = `${new URL(url).origin} does not answer: ${reasonOf(error, TIMEOUT_MS)}`;
    const advice = "Start it with npm start, or set FLORIN_API_URL to where it is.";
    return { finding: { ...problem(what, seen, advice), isUnreachable: true } };
  }
}

/** Signed webhooks and tokens are judged by real time, so both clocks must agree. */
export function skewOf(answer: Response, nowMs = Date.now()): Finding {
  const theirs = Date.parse(answer.headers.get("date") ?? "");
  if (Number.isNaN(theirs))
    return { what: "clock", result: "warning", seen: "the service does not tell its time" };
  const skewS = Math.round((nowMs - theirs) / 1000);
  if (Math.abs(skewS) <= MAX_SKEW_S)
    return ok("clock", `agrees with the service's within ${Math.abs(skewS)} s`);
  const seen = `is ${Math.abs(skewS)} s ${skewS > 0 ? "ahead of" : "behind"} the service's`;
  return problem(
    "clock",
    seen,
    "Let both machines keep time (NTP): webhook signatures are judged by it.",
  );
}

/** A sandbox dates everything by a clock that tests move; the outcome of any request tells where it stands. */
async function sandboxClock(florin: Florin): Promise<Finding> {
  const { reference } = await florin.send("GET", "/wallets");
  const { completedAt } = await florin.requests.get(reference);
  return sandboxTime(completedAt);
}

export function sandboxTime(serviceTime: string | null, nowMs = Date.now()): Finding {
  const what = "sandbox's clock";
  const aheadS = (Date.parse(serviceTime ?? "") - nowMs) / 1000;
  if (serviceTime === null || Number.isNaN(aheadS))
    return { what, result: "warning", seen: "the service does not tell its time" };
  if (aheadS <= MAX_SKEW_S) return ok(what, "is not ahead by more than a minute");
  const where = `${serviceTime.slice(0, 19).replace("T", " ")}, ${durationText(aheadS)} ahead`;
  return ok(what, `was moved and stands at ${where}`);
}

/** Whether a service that is not ready says that it is too old for its database. */
async function isOutdated(answer: Response): Promise<boolean> {
  const body = (await answer.json().catch(() => null)) as { status?: unknown } | null;
  return body?.status === "outdated";
}

function databaseAdvice({
  FLORIN_DATABASE_URL: url,
  FLORIN_DATABASE_URL_FILE: file,
}: NodeJS.ProcessEnv): string {
  return (url ?? "") === "" && (file ?? "") === ""
    ? "The embedded PostgreSQL is down: stop Florin and start it again; its log says more."
    : "See whether the PostgreSQL of FLORIN_DATABASE_URL runs and lets Florin in.";
}

function requestAdvice(error: unknown): string {
  if (!(error instanceof FlorinError)) return "See the service's log.";
  if (error.responseCode === "137") {
    return `The signature is refused: is apiUrl exactly the service's public address? ${florinCommand} sign explains signatures.`;
  }
  if (error.responseCode === "113") return "uniqueKey is not this client's.";
  if (error.responseCode === "115")
    return `The organization is disabled: ask its operator (${florinCommand} org enable).`;
  if (error.responseCode === "149") return "The client lacks the scope CardAPIs: ask its operator.";
  return "docs/response-codes.md says what this code means.";
}

async function receiverAt(url: string): Promise<Finding> {
  const { finding, answer } = await lookAt("receiver", url);
  if (answer === undefined) {
    const { advice: _, isUnreachable: __, ...seen } = finding;
    return { ...seen, advice: "Start your receiver, or mend the address." };
  }
  return ok(
    "receiver",
    `${url} answers ${answer.status}; ${florinCommand} certify tells whether it is right`,
  );
}

const ok = (what: string, seen: string): Finding => ({ what, result: "ok", seen });

const problem = (what: string, seen: string, advice: string): Finding => ({
  what,
  result: "problem",
  seen,
  advice,
});

function messageOf(error: unknown): string {
  if (error instanceof FlorinError && error.responseCode !== undefined) {
    return `refused with ${error.responseCode} ${error.responseMessage}`;
  }
  return error instanceof Error ? error.message : String(error);
}
