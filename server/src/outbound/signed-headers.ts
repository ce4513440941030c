import type { Signer } from "./signer.ts";

/** The headers of a message as Standard Webhooks has it. The time is real: receivers compare it with theirs. */
export function signedHeaders(
  userAgent: string,
  { id, body }: { id: string; body: string },
  signers: readonly Pick<Signer, "sign">[],
): Record<string, string> {
  const at = new Date();
  return {
    "content-type": "application/json",
    "user-agent": userAgent,
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": signers.map((signer) => signer.sign(id, at, body)).join(" "),
  };
}
