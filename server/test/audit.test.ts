import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../src/foundation/config/config.ts";
import { auditCommand } from "../src/operator/audit.ts";
import { type Bank, openBank } from "./harness/bank.ts";
import { miscount } from "./harness/kept.ts";

let bank: Bank;
beforeAll(async () => {
  bank = await openBank();
});
afterAll(() => bank.stop());

async function florinAudit(...args: string[]) {
  const lines: string[] = [];
  const config = readConfig(bank.service.environment);
  const print = (line: string) => lines.push(line);
  const code = await auditCommand.run({ config, args, print });
  return { code, text: lines.join("\n") };
}

test("a story with everything in it is proved, with its figures, and what is broken is named", async () => {
  const { client } = bank;
  const first = await bank.open({ balanceMinor: 10_00n });
  const second = await bank.open({ accountId: first.accountId, sharedBalance: true });
  const third = await bank.open();
  await client.post(`/cards/${first.cardId}/top-up`, { amount: 5 });
  await client.post(`/cards/${second.cardId}/withdraw`, { amount: 2 });
  const transfer = { sourceCardId: first.cardId, beneficiaryCardId: third.cardId, amount: 3 };
  await client.post("/cards/transfers", transfer);
  await bank.owe(first, 1_00n);
  await bank.owe(first, 900_00n);
  await client.call("POST", `/cards/${first.cardId}/cross-border-charges/reprocess`);
  await client.post("/simulator/authorizations", { cardId: second.cardId, amount: 4 });
  await client.post("/simulator/settlements", { cardId: third.cardId, amount: 5 });
  await client.call("POST", `/cards/${third.cardId}/terminate`);
  await client.call("POST", `/cards/${third.cardId}/regularize`);

  const { code, text } = await florinAudit();
  expect(text).toMatch(/^Accounts: \d+, cards: 3, events: \d+, pending charges: 1\.$/m);
  expect(text).toMatch(/^The books hold: debits equal credits/m);
  expect(text).toMatch(/^USD\s.*\s4\.00$/m);
  expect(code).toBe(0);
  const report = JSON.parse((await florinAudit("--json")).text);
  expect(report).toMatchObject({ cards: "3", pendingCharges: "1", problems: [] });

  await miscount(bank.pool, third.cardId, { events: 99 });
  const broken = await florinAudit();
  expect(broken.code).toBe(1);
  expect(broken.text).toMatch(
    new RegExp(
      `do NOT hold:\\n  - Card ${third.cardId} \\(org_\\w+\\) counts 99 events, but there are \\d+\\.$`,
    ),
  );
});
