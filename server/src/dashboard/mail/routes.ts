import { z } from "zod";
import type { Pool } from "../../db/pool.ts";
import type { App } from "../../http/app.ts";
import { ok } from "../../http/envelope.ts";
import { pathId } from "../../http/schema.ts";
import { readMail, readMailbox } from "./mailbox.ts";

const MailPath = z.strictObject({ mailId: pathId("mail") });

/** For a sandbox without a mail server only: open to whoever reaches it, so that a sign-up can be finished. */
export function mailboxRoutes(app: App, { pool }: { pool: Pool }): void {
  app.get("/mailbox", { config: { access: "Anyone" } }, async () => ok(await readMailbox(pool)));

  app.get(
    "/mailbox/:mailId",
    { config: { access: "Anyone" }, schema: { params: MailPath } },
    async ({ params }) => ok(await readMail(pool, params.mailId)),
  );
}
