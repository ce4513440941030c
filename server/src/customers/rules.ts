import { nameOccurs } from "./names.ts";
import type { Holder, NumberIdType } from "./port.ts";
import { type Rejection, type RejectLabel, rejected } from "./reject.ts";

export interface SubmittedPerson {
  firstName: string;
  lastName: string;
  dateOfBirth?: string | undefined;
}

/**
 * Decides what a number's holder proves of the person who was submitted. One name of the holder is
 * enough, because records hold maiden names, initials and swapped fields; for NIN and vNIN the date
 * of birth must agree too.
 */
export function decideNumber(
  idType: NumberIdType,
  submitted: SubmittedPerson,
  holder: Holder,
): { status: "Approved" } | Rejection {
  if (!holder.found) return rejected(["NOT_FOUND"]);
  const against: RejectLabel[] = [...(holder.objections ?? [])];
  const names = [submitted.firstName, submitted.lastName];
  if (!nameOccurs(holder.firstName, names) && !nameOccurs(holder.lastName, names)) {
    against.push("NAME_MISMATCH");
  }
  if (idType !== "BVN" && !sameDate(holder.dateOfBirth, submitted.dateOfBirth)) {
    against.push("DOB_MISMATCH");
  }
  return against.length === 0 ? { status: "Approved" } : rejected(against);
}

/** Two dates that are not known are not the same date. */
function sameDate(recorded: string | undefined, submitted: string | undefined): boolean {
  return recorded !== undefined && recorded !== "" && recorded === submitted;
}
