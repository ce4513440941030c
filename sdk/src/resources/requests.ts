import type { RequestOutcome } from "../generated/openapi.ts";
import { type ReadOptions, Resource } from "./resource.ts";

/** What became of a request whose answer was lost. */
export class Requests extends Resource {
  get(reference: string, options?: ReadOptions): Promise<RequestOutcome> {
    return this.call("readRequest", { params: { reference } }, options);
  }
}
