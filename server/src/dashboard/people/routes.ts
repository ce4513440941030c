import type { App } from "../../http/app.ts";
import { ok } from "../../http/envelope.ts";
import { sessionFrom } from "../access/guard.ts";
import { changeRole, dismissPerson, type PeopleDeps, readPeople } from "./service.ts";
import { PersonPath, personOf, RoleBody } from "./wire.ts";

export function peopleRoutes(app: App, deps: PeopleDeps): void {
  app.get("/people", { config: { access: "Person" } }, async (request) => {
    const rows = await readPeople(deps, sessionFrom(request).organizationId);
    return ok(rows.map(personOf));
  });

  app.patch(
    "/people/:personId",
    { config: { access: "people" }, schema: { params: PersonPath, body: RoleBody } },
    async (request) => {
      const { params, body, ip } = request;
      return ok(
        personOf(await changeRole(deps, sessionFrom(request), params.personId, body.role, ip)),
      );
    },
  );

  app.delete(
    "/people/:personId",
    { config: { access: "people" }, schema: { params: PersonPath } },
    async (request) => {
      await dismissPerson(deps, sessionFrom(request), request.params.personId, request.ip);
      return ok({});
    },
  );
}
