import type { App } from "../http/app.ts";
import { ok } from "../http/envelope.ts";
import { describe } from "../http/openapi.ts";
import type { Programme } from "./programmes.ts";
import { ProgrammeView, programmeView } from "./wire.ts";

const ListProgrammes = describe({
  operationId: "listProgrammes",
  tag: "Programmes",
  summary: "List programmes",
  description: "What cards can be issued, one programme per currency, with their limits and rates.",
  data: ProgrammeView.array(),
});

export function programmeRoutes(api: App, deps: { programmes: readonly Programme[] }): void {
  api.get("/programmes", { schema: ListProgrammes }, async () =>
    ok(deps.programmes.map(programmeView)),
  );
}
