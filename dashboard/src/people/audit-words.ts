import type { AuditEntry } from "../api/own-types.ts";
import type { Tone } from "../ui/status.tsx";
import { inWords } from "../ui/words.ts";

/** Where a thing is shown, by the beginning of its id. */
const PLACES: Record<string, string> = {
  card: "/cards",
  cus: "/customers",
  txn: "/transactions",
  wal: "/wallets",
  whe: "/settings/webhooks",
  evt: "/events",
  kyc: "/verifications",
};

/** The page of whatever an id names, if it has one. */
export function placeOf(id: unknown): string | undefined {
  const [, prefix = ""] = /^([a-z]+)_[0-9a-z]{26}$/.exec(typeof id === "string" ? id : "") ?? [];
  const place = Object.hasOwn(PLACES, prefix) ? PLACES[prefix] : undefined;
  return place === undefined ? undefined : `${place}/${id}`;
}

export function whoDid({ person, detail }: AuditEntry): string {
  if (person !== null) return person.name;
  return String(detail.actor).startsWith("cli_") ? "Your server" : "Operator or stranger";
}

interface Outcome {
  brief: string;
  reason?: string;
  tone: Tone;
}

const DONE: Outcome = { brief: "Done", tone: "positive" };
const FAILED: Outcome = { brief: "Failed", tone: "negative" };
const NOT_KNOWN: Outcome = { brief: "Not known", tone: "warning" };

/** How it ended. Some entries are written when it is done, others before it begins: those have a Reference. */
export function outcomeOf({ action, outcome, detail }: AuditEntry): Outcome {
  // What somebody tried in vain, such as a password, says so itself.
  if (action.endsWith(".failed")) return FAILED;
  if (outcome === null) return "reference" in detail ? NOT_KNOWN : DONE;
  const { code, message: reason, finality } = outcome;
  if (finality === "TerminalSuccess") return DONE;
  return finality === "TerminalFailure"
    ? { brief: `Refused: ${code}`, reason, tone: "negative" }
    : { brief: `Failed: ${code}`, reason, tone: "warning" };
}

/** Said elsewhere on the screen. */
const ELSEWHERE = new Set(["outcome", "actor"]);
/** Of use to whoever looks closer. */
const TECHNICAL = new Set(["reference", "requestId"]);

export function detailsOf({ detail }: AuditEntry): [name: string, value: unknown][] {
  return Object.entries(detail).filter(([name]) => !ELSEWHERE.has(name));
}

/** All in one line, without what only few would read. */
export function sayDetails(entry: AuditEntry): string {
  const said = detailsOf(entry).filter(([name]) => !TECHNICAL.has(name));
  return said.map(([name, value]) => `${inWords(name)}: ${sayValue(value)}`).join("; ");
}

export function sayValue(value: unknown): string {
  if (value === null || value === undefined) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(sayValue).join(", ") || "none";
  if (typeof value !== "object") return String(value);
  const parts = Object.entries(value).map(
    ([name, each]) => `${inWords(name).toLowerCase()} ${sayValue(each)}`,
  );
  return parts.join(", ") || "none";
}
