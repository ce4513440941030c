import type { OpenApiDocument } from "../document.ts";
import { exampleOf } from "../example.ts";
import type { Operation } from "../reference.ts";
import { sampleId } from "../shared/sample-id.ts";

/** An answer as an operation gives it, with its envelope. */
export function answerExample(
  document: OpenApiDocument,
  { data, isPaged, recorded }: Pick<Operation, "data" | "isPaged" | "recorded">,
): string {
  if (recorded !== undefined) return pretty(recorded);
  return pretty({
    responseCode: "000",
    responseMessage: "Success",
    finality: "TerminalSuccess",
    requestId: sampleId("req"),
    ...(data === undefined ? {} : { data: exampleOf(document, data, "complete") }),
    ...(isPaged ? { pagination: { limit: 20, nextCursor: null } } : {}),
  });
}

export const refusalExample = pretty({
  responseCode: "131",
  responseMessage: "Invalid request",
  finality: "TerminalFailure",
  requestId: sampleId("req"),
  data: null,
  errors: [{ field: "individualKyc.idNumber", message: "must be 11 digits for BVN" }],
});

export function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
