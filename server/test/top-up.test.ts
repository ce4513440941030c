import { afterAll, beforeAll, expect, test } from "vitest";
import { createPool, type Pool } from "../src/db/pool.ts";
import { newId } from "../src/foundation/ids.ts";
import { audit } from "../src/ledger/audit.ts";
import { openCard } from "./harness/cards.ts";
import { startTestService, type TestService } from "./harness/service.ts";

let service: TestService;
let pool: Pool;
let organizationId: string;

beforeAll(async () => {
  service = await startTestService();
  pool = createPool(service.databaseUrl, 2);
  const { rows } = await pool.query("select organization_id as id from organizations");
  organizationId = rows[0].id;
});

afterAll(async () => {
  await pool.end();
  await service.stop();
});

const topUp = (cardId: string, amount: unknown) =>
  service.client.post(`/cards/${cardId}/top-up`, { amount });

test("a top-up moves money from the wallet to the card and says what is left", async () => {
  const { cardId, customerId } = await openCard(pool, organizationId, { balanceMinor: 500n });
  const { status, body } = await topUp(cardId, 25.5);
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    cardId,
    customerId,
    type: "TopUp",
    stage: "Completed",
    approved: true,
    responseCode: "000",
    amount: 25.5,
    currency: "USD",
    cardBalance: 30.5,
    walletBalance: 99_974.5,
  });
  const { rows } = await pool.query(
    "select event_type, sequence, data from events where card_id = $1",
    [cardId],
  );
  expect(rows).toEqual([{ event_type: "card.topped_up", sequence: 1n, data: body.data }]);
  expect((await audit(pool)).problems).toEqual([]);
});

test.each([
  ["112", "no-card", 400],
  ["148", newId("card", 0), 404],
])("code %s for the card %s", async (code, cardId, status) => {
  const answer = await topUp(cardId, 1);
  expect([answer.status, answer.body.responseCode]).toEqual([status, code]);
});
