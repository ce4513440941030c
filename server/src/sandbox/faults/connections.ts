import type { FastifyRequest } from "fastify";
import type { FaultBoard } from "./board.ts";

/** Setting and ending faults stays possible whatever is set. */
const OWN_PATH = "/simulator/faults";

/** Says of each call, as it begins, whether its answer is to be lost. */
export function cutConnections(
  board: FaultBoard,
): (request: Pick<FastifyRequest, "caller" | "routeUrl">) => boolean {
  return ({ caller, routeUrl }) =>
    !board.isEmpty &&
    routeUrl?.endsWith(OWN_PATH) !== true &&
    board.take(caller.organizationId, ["CutConnection"]) !== undefined;
}
