import type { Programme } from "../generated/openapi.ts";
import { type ReadOptions, Resource } from "./resource.ts";

/** What cards can be issued, and on what terms. */
export class Programmes extends Resource {
  list(options?: ReadOptions): Promise<Programme[]> {
    return this.call("listProgrammes", {}, options);
  }
}
