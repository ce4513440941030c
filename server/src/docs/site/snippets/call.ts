/** A call that the snippets make, with examples for all that it needs. */
export interface Call {
  apiUrl: string;
  identityUrl: string;
  method: string;
  /** Path and query, filled in. */
  target: string;
  body?: unknown;
}
