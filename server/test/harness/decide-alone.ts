import type { Card } from "../../src/cards/card.ts";
import { type DecidedBatch, decideBatch } from "../../src/engine/batch.ts";
import type { Operation } from "../../src/engine/operation.ts";
import type { Load, Owned } from "../../src/engine/table.ts";
import type { Account } from "../../src/ledger/accounts.ts";
import { keptOf } from "./kept.ts";

interface Circumstances {
  now: Date;
  /** What the card's account keeps; without it, what it keeps of a new card. */
  kept?: Account["kept"];
  /** Of its 100.00. */
  heldMinor?: bigint;
  /** Other accounts that the operation finds. */
  others?: readonly Account[];
  /** What is found of that which the operation names; all else is looked for in vain. */
  found?: readonly (readonly [load: Load<never>, row: object])[];
}

/** Decides one operation about a card with 100.00, as a batch of its own: no trip is made for what it lacks. */
export function decideAlone<Input>(
  card: Owned<Card>,
  operation: Operation<Input, unknown>,
  input: Input,
  { now, kept = keptOf(card), heldMinor = 0n, others = [], found = [] }: Circumstances,
): DecidedBatch {
  const { organizationId, accountId, currency } = card;
  const balance = { postedMinor: 100_00n, heldMinor, ctid: "(0,1)" };
  const account: Account = { organizationId, accountId, kind: "Card", currency, ...balance, kept };
  const rows = (operation.needs?.(input) ?? []).map(({ load, key }) => ({
    load,
    keys: [{ organizationId, id: key }],
    rows: found
      .filter(([by]) => by === load)
      .map(([, row]): Owned<object> => ({ ...row, organizationId })),
  }));
  const job = { operation: operation as Operation<unknown, unknown>, organizationId, input };
  const loaded = { accounts: [account, ...others], rows, known: [], generation: 1 };
  return decideBatch([{ ...job, claim: undefined }], loaded, now);
}
