import type { LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { buildConnector } from "undici";
import { addressProblem, type Reach } from "./address.ts";
import type { Resolve } from "./names.ts";
import { RefusedAddress } from "./outcome.ts";

export interface GuardedConnectOptions {
  reach: Reach;
  resolve: Resolve;
  connectTimeoutMs: number;
  /** Certificate authorities besides the usual ones. */
  ca?: string | undefined;
}

/**
 * Connects to allowed addresses only. Each is checked after the name was looked up and used as it was
 * checked, so that a name cannot lead elsewhere in between; a literal address is never looked up.
 */
export function guardedConnector(options: GuardedConnectOptions): buildConnector.connector {
  const { reach, resolve, connectTimeoutMs, ca } = options;
  const connect = buildConnector({
    timeout: connectTimeoutMs,
    lookup: guardedLookup(reach, resolve),
    ...(ca === undefined ? {} : { ca }),
  });
  return (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, "");
    if (isIP(host) !== 0 && addressProblem(host, reach) !== undefined) {
      callback(new RefusedAddress(), null);
      return;
    }
    connect(target, callback);
  };
}

/** Refuses a name when any of its addresses is refused: nobody needs one that leads to both sides. */
export function guardedLookup(reach: Reach, resolve: Resolve): LookupFunction {
  return (name, options, callback) => {
    const answer = (addresses: LookupAddress[]): void => {
      const [first] = addresses;
      if (first === undefined || addresses.some((a) => addressProblem(a.address, reach))) {
        callback(new RefusedAddress(), "");
      } else if (options.all === true) {
        callback(null, addresses);
      } else {
        callback(null, first.address, first.family);
      }
    };
    resolve(name).then(answer, (error: NodeJS.ErrnoException) => callback(error, ""));
  };
}
