import { createHmac } from "node:crypto";
import { PretendSumsub } from "./pretend-sumsub.ts";

/** The configuration of a service whose provider is this one. */
export function sumsubEnvironment(sumsub: PretendSumsub): Record<string, string> {
  return {
    FLORIN_KYC_PROVIDER: "sumsub",
    FLORIN_SUMSUB_BASE_URL: sumsub.baseUrl,
    FLORIN_SUMSUB_APP_TOKEN: sumsub.appToken,
    FLORIN_SUMSUB_SECRET_KEY: sumsub.secretKey,
    FLORIN_SUMSUB_WEBHOOK_SECRET: sumsub.webhookSecret,
    FLORIN_SUMSUB_NUMBER_LEVEL: sumsub.levelNames.number,
    FLORIN_SUMSUB_DOCUMENT_LEVEL: sumsub.levelNames.document,
    FLORIN_SUMSUB_BUSINESS_LEVEL: sumsub.levelNames.business,
  };
}

/** For a production that verifies nobody. */
export const absentSumsub = {
  FLORIN_KYC_PROVIDER: "sumsub",
  FLORIN_SUMSUB_BASE_URL: "https://sumsub.invalid",
  FLORIN_SUMSUB_APP_TOKEN: "token",
  FLORIN_SUMSUB_SECRET_KEY: "key",
  FLORIN_SUMSUB_WEBHOOK_SECRET: "secret",
  FLORIN_SUMSUB_NUMBER_LEVEL: "number",
  FLORIN_SUMSUB_DOCUMENT_LEVEL: "document",
  FLORIN_SUMSUB_BUSINESS_LEVEL: "business",
};

export async function startSumsub(): Promise<PretendSumsub> {
  const sumsub = new PretendSumsub();
  await sumsub.start();
  return sumsub;
}

const utc = (date: Date): string => date.toISOString().replace("T", " ").replace("Z", "");

/** What Sumsub posts when it has reviewed an applicant. */
export const reviewed = (
  { id, externalUserId }: { id: string; externalUserId: string },
  reviewResult: Record<string, unknown>,
  at = new Date(),
) => ({
  applicantId: id,
  externalUserId,
  type: "applicantReviewed",
  reviewStatus: "completed",
  reviewResult,
  createdAtMs: utc(at),
});

export const GREEN = { reviewAnswer: "GREEN" };
export const RED = {
  reviewAnswer: "RED",
  reviewRejectType: "FINAL",
  rejectLabels: ["FORGERY"],
  moderationComment: "private words of the provider",
};

interface CallbackOptions {
  secret?: string;
  path?: string;
  headers?: Record<string, string>;
  contentType?: string | undefined;
}

/** Sends a call-back as Sumsub signs it; the options may spoil that. */
export function callBack(
  apiUrl: string,
  payload: unknown,
  { secret, path, headers, ...options }: CallbackOptions = {},
): Promise<Response> {
  const body = Buffer.from(typeof payload === "string" ? payload : JSON.stringify(payload));
  const contentType = "contentType" in options ? options.contentType : "application/json";
  const digest = createHmac("sha256", secret ?? "pretend-webhook-secret")
    .update(body)
    .digest("hex");
  return fetch(`${apiUrl}${path ?? "/callbacks/kyc/sumsub"}`, {
    method: "POST",
    headers: {
      ...(contentType === undefined ? {} : { "content-type": contentType }),
      "x-payload-digest": digest,
      "x-payload-digest-alg": "HMAC_SHA256_HEX",
      ...headers,
    },
    body,
  });
}
