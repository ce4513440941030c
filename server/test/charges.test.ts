import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../src/foundation/ids.ts";
import { expectRefusal, verdict } from "./harness/answers.ts";
import { newReference } from "./harness/api-client.ts";
import { type Bank, openBank, tally } from "./harness/bank.ts";

let bank: Bank;
beforeAll(async () => {
  bank = await openBank();
});
afterAll(() => bank.stop());

const list = (cardId: string, query = "", client = bank.client) =>
  client.get(`/cards/${cardId}/cross-border-charges${query}`);
const reprocess = (cardId: string, client = bank.client) =>
  client.call("POST", `/cards/${cardId}/cross-border-charges/reprocess`);
const idsOf = (charges: { chargeId: string }[]): string[] =>
  charges.map(({ chargeId }) => chargeId);

const feesMinor = async (): Promise<bigint> => {
  const { rows } = await bank.pool.query(
    "select coalesce(sum(amount_minor), 0)::bigint as sum from postings where credit_account_id = 'Fees:USD'",
  );
  return rows[0].sum;
};

describe("collecting pending charges:", () => {
  test("oldest first, each whole or not at all, to the fees account, each told", async () => {
    const card = await bank.open({ balanceMinor: 5_00n });
    const [first, large, third] = [
      await bank.owe(card, 2_00n),
      await bank.owe(card, 4_00n),
      await bank.owe(card, 1_50n),
    ];
    const feesBefore = await feesMinor();
    const { status, body } = await reprocess(card.cardId);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      collected: [
        {
          chargeId: first.chargeId,
          cardId: card.cardId,
          transactionId: first.transactionId,
          amount: 2,
          currency: "USD",
          status: "Collected",
          createdAt: first.createdAt.toISOString(),
          collectedAt: expect.any(String),
        },
        expect.objectContaining({ chargeId: third.chargeId, amount: 1.5, status: "Collected" }),
      ],
      pending: [expect.objectContaining({ chargeId: large.chargeId, status: "Pending" })],
      cardBalance: 1.5,
    });
    expect(body.data.pending[0]).not.toHaveProperty("collectedAt");
    expect((await feesMinor()) - feesBefore).toBe(3_50n);

    expect(await bank.eventsOf(card.cardId)).toEqual([
      {
        eventType: "charge.cross_border.collected",
        sequence: 1n,
        data: { ...body.data.collected[0], cardBalance: 3 },
      },
      {
        eventType: "charge.cross_border.collected",
        sequence: 2n,
        data: { ...body.data.collected[1], cardBalance: 1.5 },
      },
    ]);
    const { rows } = await bank.pool.query(
      `select type, stage, amount_minor as "amountMinor" from transactions where card_id = $1
        order by amount_minor desc`,
      [card.cardId],
    );
    expect(rows).toEqual([
      { type: "CrossBorderCharge", stage: "Completed", amountMinor: 2_00n },
      { type: "CrossBorderCharge", stage: "Completed", amountMinor: 1_50n },
    ]);
    await bank.expectProof();
  });

  test("nothing to collect is no mistake", async () => {
    const { cardId } = await bank.open({ balanceMinor: 5_00n });
    const { body } = await reprocess(cardId);
    expect(body.data).toEqual({ collected: [], pending: [], cardBalance: 5 });
  });

  test("what is held cannot be taken", async () => {
    const card = await bank.open({ balanceMinor: 5_00n });
    await bank.hold(card, 4_50n);
    await bank.owe(card, 1_00n);
    expect((await reprocess(card.cardId)).body.data).toMatchObject({
      collected: [],
      cardBalance: 5,
    });
  });

  test.each([
    ["Active", -1_00n, 0],
    ["Active", 1_00n, 1],
    ["Frozen", 1_00n, 1],
    // A cent of it is held.
    ["Terminated", 1_01n, 1],
  ] as const)(
    "on a card that is %s with %d cents: %d collected",
    async (status, balanceMinor, expected) => {
      const card = await bank.open({ status, balanceMinor });
      await bank.owe(card, 1_00n);
      const { body } = await reprocess(card.cardId);
      expect(body.data.collected).toHaveLength(expected);
    },
  );

  test("on a shared balance a card pays its own charges only", async () => {
    const card = await bank.open({ balanceMinor: 5_00n });
    const sister = await bank.open({ accountId: card.accountId, sharedBalance: true });
    const own = await bank.owe(card, 1_00n);
    const hers = await bank.owe(sister, 1_00n);
    expect(idsOf((await reprocess(card.cardId)).body.data.collected)).toEqual([own.chargeId]);
    const { body } = await reprocess(sister.cardId);
    expect(idsOf(body.data.collected)).toEqual([hers.chargeId]);
    expect(body.data.cardBalance).toBe(3);
  });

  test("a purchase that the wallet paid for is charged to the wallet", async () => {
    const card = await bank.open({ balanceMinor: 5_00n });
    const walletId = await bank.walletId();
    const before = await bank.balanceOf(walletId);
    await bank.owe(card, 1_00n, { accountId: walletId });
    const { body } = await reprocess(card.cardId);
    expect(body.data).toMatchObject({ collected: [{ amount: 1 }], cardBalance: 5 });
    expect(await bank.balanceOf(walletId)).toBe(before - 1_00n);
    expect(await bank.eventsOf(card.cardId)).toMatchObject([
      { eventType: "charge.cross_border.collected", data: { amount: 1, cardBalance: 5 } },
    ]);
    const { rows } = await bank.pool.query(
      `select type, account_id as "accountId" from transactions where card_id = $1`,
      [card.cardId],
    );
    expect(rows).toEqual([{ type: "CrossBorderCharge", accountId: walletId }]);
    await bank.expectProof();
  });

  test("more than one step holds: all that can be paid, and all that cannot is told", async () => {
    const card = await bank.open({ balanceMinor: 2_05n });
    const large = await bank.owe(card, 50_00n);
    for (let n = 0; n < 205; n++) await bank.owe(card, 1n);
    const last = await bank.owe(card, 1n);
    const { body } = await reprocess(card.cardId);
    expect(body.data.collected).toHaveLength(205);
    expect(idsOf(body.data.pending)).toEqual([large.chargeId, last.chargeId]);
    expect(body.data.cardBalance).toBe(0);
    await bank.expectProof();
  });

  test("more than are looked at: those that were collected make room for others", async () => {
    const card = await bank.open({ balanceMinor: 10_00n });
    const large = await bank.owe(card, 50_00n);
    await bank.pool.query(
      `insert into cross_border_charges (organization_id, charge_id, card_id, account_id, transaction_id,
         amount_minor, currency, status, created_at)
       select organization_id, charge_id || '-' || n, card_id, account_id, transaction_id, amount_minor,
              currency, status, created_at
         from cross_border_charges, generate_series(1, 899) n where charge_id = $1`,
      [large.chargeId],
    );
    for (let n = 0; n < 130; n++) await bank.owe(card, 1n);
    const { body } = await reprocess(card.cardId);
    expect(body.data.collected).toHaveLength(130);
    await bank.pool.query("delete from cross_border_charges where charge_id like $1", [
      `${large.chargeId}-%`,
    ]);
    await bank.expectProof();
  });

  test("a step that fails leaves the Reference for going on, and what was collected stays", async () => {
    const card = await bank.open({ balanceMinor: 10_00n });
    for (let n = 0; n < 250; n++) await bank.owe(card, 1n);
    const reference = newReference();
    const path = `/cards/${card.cardId}/cross-border-charges/reprocess`;
    await bank.pool.query(
      `create function fill_disk() returns trigger language plpgsql as $$ begin
         if (select count(*) from cross_border_charges
              where card_id = new.card_id and status = 'Collected') >= 200 then
           raise exception 'full' using errcode = '53100';
         end if;
         return new;
       end $$;
       create trigger fill_disk before update on cross_border_charges
         for each row execute function fill_disk()`,
    );
    try {
      expectRefusal(await bank.client.call("POST", path, { reference }), "503/150");
    } finally {
      await bank.pool.query("drop trigger fill_disk on cross_border_charges");
    }
    // Nobody knows what became of it, so nobody says that it failed.
    const { body } = await bank.client.get(`/requests/${reference}`);
    expect(body.data.state).toBe("Unknown");
    expect(await bank.balanceOf(card.accountId)).toBe(8_00n);
    const retried = await bank.client.call("POST", path, { reference });
    expect(verdict(retried)).toBe("200/000");
    expect(retried.body.data.collected).toHaveLength(50);
    expectRefusal(await bank.client.call("POST", path, { reference }), "400/139");
    await bank.expectProof();
  });

  test("many that are too large do not hide one that can be paid", async () => {
    const card = await bank.open({ balanceMinor: 50n });
    for (let n = 0; n < 201; n++) await bank.owe(card, 1_00n);
    const small = await bank.owe(card, 1n);
    const { body } = await reprocess(card.cardId);
    expect(idsOf(body.data.collected)).toEqual([small.chargeId]);
    expect(body.data.pending).toHaveLength(201);
  });

  test("many calls at once collect each charge once", async () => {
    const card = await bank.open({ balanceMinor: 10_00n });
    for (let n = 0; n < 8; n++) await bank.owe(card, 1_50n);
    const answers = await Promise.all(Array.from({ length: 12 }, () => reprocess(card.cardId)));
    expect(tally(answers)).toEqual({ "200/000": 12 });
    expect(answers.flatMap(({ body }) => body.data.collected)).toHaveLength(6);
    expect(await bank.balanceOf(card.accountId)).toBe(1_00n);
    await bank.expectProof();
  });

  test("a Reference collects once", async () => {
    const card = await bank.open({ balanceMinor: 10_00n });
    await bank.owe(card, 1_00n);
    const reference = newReference();
    const path = `/cards/${card.cardId}/cross-border-charges/reprocess`;
    expect(verdict(await bank.client.call("POST", path, { reference }))).toBe("200/000");
    expectRefusal(await bank.client.call("POST", path, { reference }), "400/139");
    const { body } = await bank.client.get(`/requests/${reference}`);
    expect(body.data).toMatchObject({ state: "Succeeded", resourceId: card.cardId });
  });

  test("takes an empty body, and no other", async () => {
    const { cardId } = await bank.open();
    const path = `/cards/${cardId}/cross-border-charges/reprocess`;
    expect(verdict(await bank.client.post(path, {}))).toBe("200/000");
    expectRefusal(await bank.client.post(path, { all: true }), "400/131");
  });
});

describe("the list:", () => {
  test("newest first, page by page, pending and collected", async () => {
    const card = await bank.open({ balanceMinor: 2_00n });
    const charges = [];
    for (let n = 0; n < 5; n++) charges.push(await bank.owe(card, 1_00n));
    await reprocess(card.cardId);
    const expected = charges.map(({ chargeId }) => chargeId).reverse();

    const seen: string[] = [];
    const statuses: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const query: string = cursor === "" ? "?limit=2" : `?limit=2&cursor=${cursor}`;
      const { body } = await list(card.cardId, query);
      expect(body.pagination.limit).toBe(2);
      seen.push(...idsOf(body.data));
      statuses.push(...body.data.map((charge: { status: string }) => charge.status));
      cursor = body.pagination.nextCursor;
    }
    expect(seen).toEqual(expected);
    expect(statuses).toEqual(["Pending", "Pending", "Pending", "Collected", "Collected"]);
  });

  test("shows a card's own only", async () => {
    const card = await bank.open();
    const sister = await bank.open({ accountId: card.accountId, sharedBalance: true });
    await bank.owe(sister, 1_00n);
    expect((await list(card.cardId)).body).toMatchObject({
      data: [],
      pagination: { limit: 20, nextCursor: null },
    });
  });

  const nonsense = Buffer.from("nonsense").toString("base64url");

  test.each(["?limit=0", "?limit=101", "?cursor=x", `?cursor=${nonsense}`, "?status=Pending"])(
    "%s is refused",
    async (query) => {
      const { cardId } = await bank.open();
      expectRefusal(await list(cardId, query), "400/131");
    },
  );
});

describe("cards that are not there:", () => {
  test.each([
    ["card_x", "400/112"],
    [newId("card", 0), "404/148"],
  ])("%s", async (cardId, expected) => {
    expectRefusal(await list(cardId), expected);
    expectRefusal(await reprocess(cardId), expected);
  });

  test("another organization's", async () => {
    const { cardId } = await bank.open();
    const { client } = await bank.foundAnother();
    expectRefusal(await list(cardId, "", client), "404/148");
    expectRefusal(await reprocess(cardId, client), "404/148");
  });
});
