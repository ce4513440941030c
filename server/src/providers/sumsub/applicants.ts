import { z } from "zod";
import { ProviderDown } from "../../customers/port.ts";
import type { SumsubClient } from "./client.ts";
import type { Deadline } from "./deadline.ts";
import type { SumsubAnswer } from "./exchange.ts";
import { Review } from "./words.ts";

/** Sumsub's ids become parts of paths, so nothing else may pass as one. */
export function isApplicantId(text: string): boolean {
  return /^[A-Za-z0-9]{1,64}$/.test(text);
}

const Applicant = z.object({
  id: z.string().refine(isApplicantId),
  review: Review.nullish(),
});

export interface OpenedApplicant {
  applicantId: string;
  /** Whether an earlier call had already opened it. */
  existed: boolean;
  /** Whether a check was already requested. */
  isSubmitted: boolean;
}

export interface NewApplicant {
  levelName: string;
  kycToken: string;
  type: "individual" | "company";
  email?: string | undefined;
  phone?: string | undefined;
  fixedInfo: Readonly<Record<string, unknown>>;
}

/** Opens an applicant under our token, or finds the one that an earlier attempt opened. */
export async function openApplicant(
  client: SumsubClient,
  { levelName, kycToken, ...rest }: NewApplicant,
  deadline: Deadline,
): Promise<OpenedApplicant> {
  const created = await client.call({
    method: "POST",
    path: `/resources/applicants?levelName=${encodeURIComponent(levelName)}`,
    body: jsonBody({ externalUserId: kycToken, ...rest }),
    repeatable: true,
    deadline,
  });
  const existed = created.status === 409;
  const answer = existed
    ? await client.call({
        method: "GET",
        path: `/resources/applicants/-;externalUserId=${encodeURIComponent(kycToken)}/one`,
        repeatable: true,
        deadline,
      })
    : created;
  const { id, review } = parse(Applicant, answer, "applicant");
  const status = review?.reviewStatus ?? "init";
  return { applicantId: id, existed, isSubmitted: status !== "init" };
}

/** Asks for the check. One that was asked for before, perhaps by a request whose answer was lost, is enough. */
export async function requestCheck(
  client: SumsubClient,
  applicantId: string,
  deadline: Deadline,
): Promise<void> {
  const asked = await client.call({
    method: "POST",
    path: `/resources/applicants/${applicantId}/status/pending`,
    repeatable: true,
    deadline,
  });
  if (isSuccess(asked)) return;
  if (asked.status === 409) {
    const { reviewStatus = "init" } = await readReview(client, applicantId, deadline);
    if (reviewStatus !== "init") return;
  }
  throw unexpected(asked, "the request for a check");
}

export async function readReview(
  client: SumsubClient,
  applicantId: string,
  deadline: Deadline,
): Promise<Review> {
  const answer = await client.call({
    method: "GET",
    path: `/resources/applicants/${applicantId}/status`,
    repeatable: true,
    deadline,
  });
  return parse(Review, answer, "review status");
}

/** Without what is not there: Sumsub takes null for a value. */
export function defined<T>(record: Record<string, T | undefined>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(record).filter((entry): entry is [string, T] => entry[1] !== undefined),
  );
}

export function jsonBody(value: unknown): { contentType: string; body: Buffer } {
  return { contentType: "application/json", body: Buffer.from(JSON.stringify(value)) };
}

export function isSuccess({ status }: SumsubAnswer): boolean {
  return status >= 200 && status < 300;
}

export function parse<T extends z.ZodType>(
  schema: T,
  answer: SumsubAnswer,
  what: string,
): z.output<T> {
  if (!isSuccess(answer)) throw unexpected(answer, what);
  const { success, data } = schema.safeParse(answer.json);
  if (!success) throw new ProviderDown(`Sumsub's ${what} is not as documented`);
  return data;
}

const ErrorAnswer = z.object({
  errorCode: z.number().int().optional().catch(undefined),
  correlationId: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .optional()
    .catch(undefined),
});

/** Sumsub's number for what went wrong, which only some of its errors have. */
export function errorCodeOf({ json }: SumsubAnswer): number | undefined {
  return ErrorAnswer.safeParse(json).data?.errorCode;
}

/** With what an operator needs to ask Sumsub about it, and without its description, which may name people. */
export function unexpected(answer: SumsubAnswer, what: string): ProviderDown {
  const { errorCode, correlationId } = ErrorAnswer.safeParse(answer.json).data ?? {};
  const details = [
    errorCode === undefined ? "" : `, error ${errorCode}`,
    correlationId === undefined ? "" : `, correlation id ${correlationId}`,
  ].join("");
  return new ProviderDown(`Sumsub answered ${what} with ${answer.status}${details}`);
}
