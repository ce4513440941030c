import type { ManyQuery } from "../db/reads.ts";
import { scopedColumns, scopedKey } from "../db/scoped-key.ts";
import type { Owned } from "../engine/table.ts";
import { TRANSACTION_COLUMNS } from "./table.ts";
import type { Transaction } from "./transaction.ts";

/** A transaction as it is, for whoever asks; operations load theirs under a lock. */
export const shownTransaction: ManyQuery<string, Owned<Transaction>> = {
  statement: (keys) => ({
    name: "transaction_shown",
    text: `
      select ${TRANSACTION_COLUMNS} from unnest($1::text[], $2::text[]) as k(organization_id, id)
       cross join lateral (select * from transactions
         where organization_id = k.organization_id and transaction_id = k.id limit 1) t`,
    values: scopedColumns(keys),
  }),
  keyOf: ({ organizationId, transactionId }) => scopedKey(organizationId, transactionId),
};
