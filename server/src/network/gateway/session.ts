import type { Peer } from "./peers.ts";

/** What is known of the other end of a connection. */
export interface Session {
  readonly peer: Peer;
  isSignedOn: boolean;
}
