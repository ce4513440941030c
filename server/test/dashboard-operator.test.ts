import { afterAll, beforeAll, expect, test } from "vitest";
import type { Core } from "../src/core.ts";
import { readConfig } from "../src/foundation/config.ts";
import { invitePersonCommand } from "../src/operator/people.ts";
import { Browser, register, tokenIn } from "./harness/dashboard.ts";
import { foundOrganization, openOperator } from "./harness/operator.ts";
import { startTestService, type TestService } from "./harness/service.ts";

let service: TestService;
let operator: Core;
beforeAll(async () => {
  service = await startTestService();
  operator = await openOperator(service);
});
afterAll(async () => {
  await operator.close();
  await service.stop();
});

async function invite(...args: string[]): Promise<string> {
  const lines: string[] = [];
  const config = readConfig(service.environment);
  await invitePersonCommand.run({ config, args, print: (line) => lines.push(line) });
  return lines.join("\n");
}

test("an operator lets the first person into an organization", async () => {
  const { organizationId } = await foundOrganization(operator, service, { name: "Founded" });
  const { dashboardUrl } = service.sandbox;
  const link = await invite(organizationId, "First@Founded.example", "--name", "Fiona First");
  const browser = await Browser.open(dashboardUrl);
  const token = tokenIn(link);
  const registration = await browser.get(`/dashboard/registration?token=${token}`);
  expect(registration.body.data).toEqual({
    email: "first@founded.example",
    name: "Fiona First",
    organizationName: "Founded",
    role: "Owner",
    kind: "Invitation",
  });
  const person = await register(dashboardUrl, "first@founded.example", token);
  const { data } = (await person.browser.get("/dashboard/audit?limit=100")).body;
  const invited = data.find(({ action }: { action: string }) => action === "person.invited");
  expect(invited).toMatchObject({ person: null, detail: { actor: "operator" } });
  // The operator made its secret known when the organization was made.
  const credentials = await person.browser.get("/dashboard/credentials");
  expect(credentials.body.data.revealable).toBe(false);
});

test("it says what is wrong", async () => {
  const { organizationId } = await foundOrganization(operator, service);
  const { email } = service.sandbox.dashboard;
  await expect(invite("org_none", "a@b.example")).rejects.toThrow("no organization");
  await expect(invite(organizationId, "not an address")).rejects.toThrow("e-mail");
  await expect(invite(organizationId, email)).rejects.toThrow("somebody already");
  await expect(invite(organizationId, "a@b.example", "--role", "King")).rejects.toThrow("--role");
});
