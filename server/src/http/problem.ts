import type { FastifyError } from "fastify";
import { isUnavailable } from "../db/errors.ts";
import { Failure } from "../foundation/failure.ts";

/** Makes a Failure of anything thrown. What is not one already is a peer's mistake, an outage, or a bug. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (isUnavailable(error)) {
    return new Failure("SERVICE_MALFUNCTION", {
      message: "The service is unavailable",
      cause: error,
    });
  }
  const mistake = CLIENT_MISTAKES[(error as Partial<FastifyError>)?.code ?? ""];
  if (mistake !== undefined) {
    return new Failure("INVALID_REQUEST", { errors: [{ field: "body", message: mistake }] });
  }
  return new Failure("SERVICE_EXCEPTION", { cause: error });
}

/** Fastify's own refusals, in our words. */
const CLIENT_MISTAKES: { readonly [code: string]: string } = {
  FST_ERR_CTP_BODY_TOO_LARGE: "The body is too large",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "The Content-Type must be application/json",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "The body does not match its Content-Length",
  FST_ERR_CTP_INVALID_TYPE: "The Content-Type must be application/json",
  ECONNRESET: "The request was cut off",
};
