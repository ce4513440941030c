import type { KycImage } from "../../customers/images.ts";
import type { DocumentIdType, DocumentSubmission } from "../../customers/port.ts";
import { type Rejection, type RejectLabel, rejected } from "../../customers/reject.ts";
import { defined, errorCodeOf, isSuccess, unexpected } from "./applicants.ts";
import type { SumsubClient } from "./client.ts";
import type { Deadline } from "./deadline.ts";
import { documentForm } from "./multipart.ts";

/** Sumsub sorts documents by itself; a voter's card is an identity card to it. */
const documentTypes: Readonly<Record<DocumentIdType, string>> = {
  PASSPORT: "PASSPORT",
  NATIONAL_ID: "ID_CARD",
  DRIVERS_LICENSE: "DRIVERS",
  VOTERS_CARD: "ID_CARD",
  GHANA_CARD: "ID_CARD",
};

/** Refusals of the very file: the verdict is in, and it is the file that must be better. */
const refusedFiles: ReadonlyMap<number, RejectLabel> = new Map([
  [1002, "UNREADABLE"], // too big
  [1003, "UNREADABLE"], // empty
  [1004, "UNREADABLE"], // corrupted
  [1005, "UNSUPPORTED_DOCUMENT"], // format
  [1007, "UNREADABLE"], // outside the account's own limits
  [1010, "UNSUPPORTED_DOCUMENT"], // type of document
  [1011, "UNREADABLE"], // encrypted
]);

/** Refusals because it was uploaded before: the same image, or the applicant is in or past its check. */
const uploadedBefore: ReadonlySet<number> = new Set([1000, 1006, 1009]);

const UPLOAD_TIMEOUT_MS = 15_000;

/** Uploads a document's sides. Gives a rejection if Sumsub will not even look at one. */
export async function uploadDocument(
  client: SumsubClient,
  applicantId: string,
  document: DocumentSubmission & { issuer: string },
  deadline: Deadline,
): Promise<Rejection | undefined> {
  const { front, back } = document;
  const sides: [string | undefined, KycImage][] =
    back === undefined
      ? [[undefined, front]]
      : [
          ["FRONT_SIDE", front],
          ["BACK_SIDE", back],
        ];
  for (const [side, image] of sides) {
    const answer = await client.call({
      method: "POST",
      path: `/resources/applicants/${applicantId}/info/idDoc`,
      body: documentForm(metadataOf(document, side), image),
      repeatable: true,
      attemptTimeoutMs: UPLOAD_TIMEOUT_MS,
      deadline,
    });
    const errorCode = errorCodeOf(answer) ?? 0;
    if (isSuccess(answer) || uploadedBefore.has(errorCode)) continue;
    const label = refusedFiles.get(errorCode);
    if (label === undefined) throw unexpected(answer, "a document");
    return rejected([label]);
  }
  return undefined;
}

function metadataOf(
  {
    idType,
    issuer,
    idNumber,
    firstName,
    lastName,
    dateOfBirth,
  }: DocumentSubmission & {
    issuer: string;
  },
  side: string | undefined,
): Record<string, string> {
  return defined({
    idDocType: documentTypes[idType],
    idDocSubType: side,
    country: issuer,
    number: idNumber,
    firstName,
    lastName,
    dob: dateOfBirth,
  });
}
