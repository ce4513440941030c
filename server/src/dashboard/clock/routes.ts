import type { Clock } from "../../foundation/clock.ts";
import { isoTime } from "../../foundation/dates.ts";
import type { App } from "../../http/app.ts";
import { ok } from "../../http/envelope.ts";

/** A sandbox's clock may be far from the browser's, and the API tells it only to those who move it. */
export function clockRoutes(app: App, { clock }: { clock: Clock }): void {
  app.get("/clock", { config: { access: "Person" } }, async () =>
    ok({ now: isoTime(clock.now()) }),
  );
}
