import type { FastifyRequest } from "fastify";
import { isLoopback } from "../../foundation/address.ts";
import { Failure } from "../../foundation/failure.ts";

/** People open what runs on their machine by either of its names. */
const isSameHost = (a: URL, b: URL): boolean =>
  a.port === b.port &&
  (a.hostname === b.hostname || (isLoopback(a.hostname) && isLoopback(b.hostname)));

/**
 * Refuses what another site has a browser send. Browsers say where a request comes from; whoever does not
 * is no browser, and needs the CSRF token all the same.
 */
export function refuseOtherSites(request: FastifyRequest, dashboardUrl: string): void {
  const { origin, "sec-fetch-site": site } = request.headers;
  const isOwn =
    typeof site === "string"
      ? site === "same-origin" || site === "none"
      : origin === undefined || isOwnOrigin(origin, dashboardUrl);
  if (isOwn) return;
  throw new Failure("UNAUTHORIZED", { message: "The request comes from another site" });
}

function isOwnOrigin(origin: string, dashboardUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  const [given, own] = [new URL(origin), new URL(dashboardUrl)];
  return given.protocol === own.protocol && isSameHost(given, own);
}

/**
 * A sandbox that listens on loopback is asked by no other name: a page whose name was made to point here
 * would otherwise be let in by the browser as if it were ours.
 */
export function refuseOtherNames(
  request: FastifyRequest,
  { isSandbox, host }: { isSandbox: boolean; host: string },
  dashboardUrl: string,
): void {
  if (!isSandbox || !isLoopback(host)) return;
  const given = `http://${request.headers.host ?? ""}`;
  if (URL.canParse(given)) {
    const { hostname } = new URL(given);
    if (isLoopback(hostname) || hostname === new URL(dashboardUrl).hostname) return;
  }
  throw new Failure("UNAUTHORIZED", { message: "This dashboard is not known by that name" });
}
