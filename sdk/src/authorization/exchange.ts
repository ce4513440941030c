import type { HeadersLike, RawBody } from "../webhooks/signing.ts";

/** A request to the authorization address, as it arrived. */
export interface Arrived {
  method: string;
  headers: HeadersLike;
  body: RawBody | Promise<RawBody>;
}

export interface Reply {
  status: number;
  body: string;
}

/** Questions are small; whatever is larger is none. */
export const MAX_BODY_BYTES = 64 * 1024;

export class BodyTooLarge extends Error {
  constructor() {
    super("The body is too large.");
  }
}
