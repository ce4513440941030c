import { afterAll, beforeAll, expect, test } from "vitest";
import type { Core } from "../src/core.ts";
import { changeOrganization } from "../src/identity/organizations.ts";
import { becomes, expectRefusal, verdict } from "./harness/answers.ts";
import { ApiClient } from "./harness/api-client.ts";
import { foundOrganization, openOperator } from "./harness/operator.ts";
import { startTestService, type TestService } from "./harness/service.ts";

let first: TestService;
let second: TestService;
let operator: Core;
beforeAll(async () => {
  first = await startTestService();
  second = await startTestService({ FLORIN_DATABASE_URL: first.databaseUrl });
  operator = await openOperator(first);
});
afterAll(async () => {
  await operator.close();
  await second.stop();
  await first.stop();
});

test("a disabled organization is out in every process within moments, and back as fast", async () => {
  const organization = await foundOrganization(operator, first);
  const atSecond = new ApiClient({ ...second.sandbox, ...credentialsOf(organization) });
  const clients = [organization.client, atSecond];
  const verdicts = async () =>
    Promise.all(clients.map(async (client) => verdict(await client.get("/wallets"))));
  const setStatus = (status: "Enabled" | "Disabled") =>
    changeOrganization(operator, organization.organizationId, { status });

  // Both processes know the client and its token by heart before anything changes.
  expect(await verdicts()).toEqual(["200/000", "200/000"]);

  await setStatus("Disabled");
  await becomes(verdicts, ["403/115", "403/115"]);
  for (const client of clients) {
    expectRefusal(await client.get("/wallets"), "403/115");
    expect((await client.requestToken()).status).toBe(403);
  }
  expect(verdict(await second.client.get("/wallets")), "others are not touched").toBe("200/000");

  await setStatus("Enabled");
  await becomes(verdicts, ["200/000", "200/000"]);
});

test("a disabled client is out like its organization", async () => {
  const { client, clientId } = await foundOrganization(operator, first);
  expect(verdict(await client.get("/wallets"))).toBe("200/000");
  await operator.pool.query(
    `with changed as (update clients set status = 'Disabled' where client_id = $1)
     update shared_state set directory_version = directory_version + 1`,
    [clientId],
  );
  await becomes(async () => verdict(await client.get("/wallets")), "403/115");
});

const credentialsOf = ({
  clientId,
  clientSecret,
  uniqueKey,
}: {
  clientId: string;
  clientSecret: string;
  uniqueKey: string;
}) => ({ clientId, clientSecret, uniqueKey });
