import type { Core } from "../core.ts";
import { roles } from "../dashboard/access/roles.ts";
import { TokenHashes } from "../dashboard/access/token-hashes.ts";
import type { Invited } from "../dashboard/onboarding/invitations.ts";
import { makeLink } from "../dashboard/onboarding/links.ts";
import { registrationUrl } from "../dashboard/onboarding/service.ts";
import { findPersonByEmail } from "../dashboard/people/store.ts";
import { email as emailAddress } from "../dashboard/people/wire.ts";
import { transaction } from "../db/transaction.ts";
import { expectPublicUrl } from "../foundation/config/config.ts";
import { newId } from "../foundation/ids.ts";
import { publicAddress } from "../http/addresses.ts";
import { writeAudit } from "../identity/store.ts";
import { asJson, type Command, CommandError, json, readArguments, withCore } from "./command.ts";
import { expectOrganization } from "./expect-organization.ts";

export const invitePersonCommand: Command = {
  name: "people invite",
  parameters: "<orgId> <email> [--role Owner] [--name NAME] [--json]",
  summary: "Print a link with which somebody joins an organization's dashboard",
  run: async (invocation) => {
    const { positionals, values } = readArguments(invocation, ["orgId", "email"], {
      role: { type: "string" },
      name: { type: "string" },
      ...json,
    });
    const [organizationId, address] = positionals;
    const role = roles.find((each) => each === (values.role ?? "Owner"));
    if (role === undefined) throw new CommandError(`--role is one of ${roles.join(", ")}.`);
    const read = emailAddress.safeParse(address);
    if (!read.success) throw new CommandError(`${address} is not an e-mail address.`);
    expectPublicUrl(invocation.config, "dashboardUrl");
    const person = { email: read.data, name: String(values.name ?? read.data), role };
    const token = await withCore(invocation, (core) => invite(core, organizationId, person));
    const { config } = invocation;
    const dashboard = publicAddress(config, "dashboard", config.dashboardPort);
    const url = registrationUrl({ dashboard }, token);
    invocation.print(values.json === true ? asJson({ url }) : url);
    return 0;
  },
};

/** The way in for an organization that nobody has signed up for, and where no mail is sent. */
async function invite(
  { pool, vault, clock }: Core,
  organizationId: string,
  { email, name, role }: Invited,
): Promise<string> {
  await expectOrganization(pool, organizationId);
  if ((await findPersonByEmail(pool, email)) !== undefined) {
    throw new CommandError(`${email} belongs to somebody already.`);
  }
  return transaction(pool, async (tx) => {
    const about = { organizationId, email, name, role, personId: null, organizationName: null };
    const deps = { pool, hashes: new TokenHashes(vault) };
    const link = await makeLink(tx, deps, { ...about, kind: "Invitation", invitedBy: null });
    const at = clock.now();
    await writeAudit(tx, {
      auditId: newId("aud", at.getTime()),
      organizationId,
      actor: "operator",
      action: "person.invited",
      detail: { email, role },
      subject: link.linkId,
      at,
    });
    return link.token;
  });
}
