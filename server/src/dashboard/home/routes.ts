import { z } from "zod";
import type { App } from "../../http/app.ts";
import { ok } from "../../http/envelope.ts";
import { sessionFrom } from "../access/guard.ts";
import { Home, type HomeDeps } from "./service.ts";

const HomeQuery = z.strictObject({
  days: z.enum(["7", "30", "90"]).default("7").transform(Number),
});

export function homeRoutes(app: App, deps: HomeDeps): void {
  const home = new Home(deps);
  app.get(
    "/home",
    { config: { access: "Person" }, schema: { querystring: HomeQuery } },
    async (request) => ok(await home.read(sessionFrom(request).organizationId, request.query.days)),
  );
}
