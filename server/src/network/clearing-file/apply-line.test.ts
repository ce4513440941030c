import { expect, test } from "vitest";
import type { FoundCard } from "../../cards/by-pan.ts";
import type { Pool } from "../../db/pool.ts";
import { networkReferenceOf } from "../../transactions/iso-name.ts";
import type { NetworkDoor } from "../door.ts";
import { applyLine } from "./apply-line.ts";
import type { ClearingLine } from "./line.ts";

const retrieval = "603100000001";

const line: ClearingLine = {
  number: 7,
  kind: "Settlement",
  pan: "4111111111111111",
  amountMinor: 20_00n,
  currency: "USD",
  acquirer: "412345",
  retrievalReference: retrieval,
  retrieval,
  isPartial: false,
};

const purchase = {
  transactionId: "txn_1",
  type: "Authorization",
  approved: true,
  amountMinor: 20_00n,
  currency: "USD",
  networkReference: networkReferenceOf({
    acquirer: "412345",
    retrieval,
    trace: "000001",
    transmitted: "0131120000",
  }),
  events: [{ requestType: "Authorization", amount: 20, responseCode: "000", at: "" }],
  messages: [],
  lines: [],
};

const found = { organizationId: "org_1", card: { cardId: "card_1" } } as FoundCard;

/** Lets a line meet a payment that a message changes at each of its first tries. */
async function apply(staleTries: number) {
  let tries = 0;
  const query = async (text: string) => ({
    rows: text.includes("m.network_reference = $2") ? [] : [purchase],
  });
  const follow = async () => {
    tries += 1;
    return { isStale: tries <= staleTries };
  };
  const done = await applyLine(
    {
      pool: { query } as unknown as Pool,
      programmes: [],
      door: { follow } as unknown as NetworkDoor,
    },
    found,
    "line-7",
    line,
    { onlyConfirm: false },
  );
  return { ...done, tries };
}

test("a line is tried again when a message about its payment comes at that moment", async () => {
  expect(await apply(19)).toMatchObject({ outcome: "Matched", isPosted: true, tries: 20 });
});

test("a line whose payment changes at every try is given up", async () => {
  await expect(apply(20)).rejects.toThrow("line 7 changed at each of 20 tries");
});
