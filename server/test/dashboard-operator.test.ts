import { afterAll, beforeAll, expect, test } from "vitest";
import type { Core } from "../src/core.ts";
import { readConfig } from "../src/foundation/config/config.ts";
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

const invite = (...args: string[]): Promise<string> => inviteWith({}, ...args);

async function inviteWith(settings: Record<string, string>, ...args: string[]): Promise<string> {
  const lines: string[] = [];
  const config = readConfig({ ...service.environment, ...settings });
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

test("the link leads to where the service listens", async () => {
  const { organizationId } = await foundOrganization(operator, service);
  const port = { FLORIN_DASHBOARD_PORT: "4002" };
  const tls = { FLORIN_TLS_CERT_FILE: "chain.pem", FLORIN_TLS_KEY_FILE: "key.pem" };
  const plain = await inviteWith({ ...port, FLORIN_HOST: "::1" }, organizationId, "a@b.example");
  expect(plain).toMatch(/^http:\/\/\[::1\]:4002\/registration\?token=/);
  const encrypted = await inviteWith({ ...port, ...tls }, organizationId, "b@b.example");
  expect(encrypted).toMatch(/^https:\/\/127\.0\.0\.1:4002\/registration\?token=/);
});

test("it says what is wrong", async () => {
  const { organizationId } = await foundOrganization(operator, service);
  const { email } = service.sandbox.dashboard;
  await expect(invite("org_none", "a@b.example")).rejects.toThrow("no organization");
  await expect(invite(organizationId, "not an address")).rejects.toThrow("e-mail");
  await expect(invite(organizationId, email)).rejects.toThrow("somebody already");
  await expect(invite(organizationId, "a@b.example", "--role", "King")).rejects.toThrow("--role");
});
