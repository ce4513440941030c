import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { type Holder, type NumberQuery, ProviderDown, ProviderSlow } from "../../customers/port.ts";
import type { RejectLabel } from "../../customers/reject.ts";
import { errorCodeOf, isSuccess, jsonBody, parse, unexpected } from "./applicants.ts";
import type { SumsubClient } from "./client.ts";
import type { Deadline } from "./deadline.ts";

const POLL_MS = 400;

const text = z.string().nullish();

const Check = z.object({
  answer: z.string(),
  checkType: z.string().optional(),
  inputDoc: z.object({ number: text }).nullish(),
  extractedDoc: z.object({ firstName: text, lastName: text, dob: text }).nullish(),
  violations: z.array(z.string()).nullish(),
});
type Check = z.infer<typeof Check>;

const Checks = z.object({ checks: z.array(Check) });

/** Sumsub's numbers for a look-up that ran and found nothing under that number. */
const nothingFound: ReadonlySet<number> = new Set([9100, 9104]);
/** The look-up ran and Sumsub dislikes what it found; the check says what that was. */
const VIOLATIONS_FOUND = 9107;

/**
 * Has a number looked up in the government's database ("Non-Doc Verification"). The name and date of
 * birth that were submitted are not sent: Sumsub would compare them by its rules, and ours decide.
 */
export async function lookUpNumber(
  client: SumsubClient,
  applicantId: string,
  query: NumberQuery,
  deadline: Deadline,
): Promise<Holder> {
  const submitted = await client.call({
    method: "POST",
    path: `/resources/applicants/${applicantId}/ekyc/submit`,
    body: jsonBody(submissionOf(query)),
    // Every look-up is charged, and there is a limit to how many a person may have.
    repeatable: false,
    deadline,
  });
  const errorCode = errorCodeOf(submitted) ?? 0;
  if (!isSuccess(submitted)) {
    if (nothingFound.has(errorCode)) return { found: false };
    if (errorCode !== VIOLATIONS_FOUND) throw unexpected(submitted, "a look-up");
  }
  for (;;) {
    const holder = await readLookUp(client, applicantId, query, deadline);
    if (holder !== undefined) return holder;
    try {
      await sleep(POLL_MS, undefined, { signal: deadline.signal });
    } catch {
      throw new ProviderSlow("Sumsub did not finish a look-up in time");
    }
  }
}

/** What the latest look-up of this number found; nothing if there is none, or none that has ended. */
export async function readLookUp(
  client: SumsubClient,
  applicantId: string,
  query: NumberQuery,
  deadline: Deadline,
): Promise<Holder | undefined> {
  const answer = await client.call({
    method: "GET",
    path: `/resources/checks/latest?applicantId=${applicantId}&type=E_KYC_CHECK`,
    repeatable: true,
    deadline,
  });
  const check = parse(Checks, answer, "look-up").checks.find(
    ({ checkType = "E_KYC_CHECK", inputDoc }) =>
      checkType === "E_KYC_CHECK" && (inputDoc?.number ?? query.idNumber) === query.idNumber,
  );
  return check === undefined ? undefined : holderOf(check, query);
}

/** A tax number, which a BVN is to Sumsub, stands among the person's data; others are documents. */
function submissionOf({ idType, idNumber }: NumberQuery): unknown {
  if (idType === "BVN") return { info: { country: "NGA", tin: idNumber } };
  return { idDoc: { country: "NGA", idDocType: "ID_CARD", number: idNumber } };
}

function holderOf(check: Check, { idType }: NumberQuery): Holder | undefined {
  if (check.answer === "YELLOW") return undefined;
  if (check.answer !== "GREEN" && check.answer !== "RED") {
    throw new ProviderDown("Sumsub's source did not answer a look-up");
  }
  const firstName = check.extractedDoc?.firstName ?? "";
  const lastName = check.extractedDoc?.lastName ?? "";
  const violations = check.answer === "RED" ? (check.violations ?? []) : [];
  if (firstName === "" && lastName === "") {
    if (violations.some((violation) => notFoundViolations.has(violation))) return { found: false };
    throw new ProviderDown("Sumsub's look-up tells nothing of the holder");
  }
  const dateOfBirth = dateOf(check.extractedDoc?.dob);
  // To reject for a date that the source did not tell would be to reject for a fault of the source.
  if (idType !== "BVN" && dateOfBirth === undefined) {
    throw new ProviderDown("Sumsub's look-up tells no date of birth");
  }
  const objections = violations.flatMap((violation) => objectionTo(violation));
  return { found: true, firstName, lastName, dateOfBirth, objections };
}

const notFoundViolations: ReadonlySet<string> = new Set(["DATA_NOT_FOUND", "INVALID_DOC_NUMBER"]);

/** Comparisons, which are for our rules to make. */
const comparisons: ReadonlySet<string> = new Set([
  "NAME_MISMATCH",
  "BDATE_MISMATCH",
  "GENDER_MISMATCH",
]);

function objectionTo(violation: string): RejectLabel[] {
  if (comparisons.has(violation)) return [];
  if (violation === "PERSON_IS_MINOR") return ["UNDERAGE"];
  return [notFoundViolations.has(violation) ? "NOT_FOUND" : "OTHER"];
}

function dateOf(dob: string | null | undefined): string | undefined {
  return /^\d{4}-\d\d-\d\d$/.test(dob ?? "") ? (dob ?? undefined) : undefined;
}
