import type { ManyQuery, Reads } from "../db/reads.ts";
import { scopedColumns, scopedKey } from "../db/scoped-key.ts";
import type { Currency } from "../foundation/currencies.ts";
import { Failure } from "../foundation/failure.ts";
import { isId } from "../foundation/ids.ts";
import type { Transaction, TransactionType } from "./transaction.ts";

/** What never changes in the life of a payment. */
export interface PaymentFacts {
  transactionId: string;
  cardId: string;
  accountId: string;
  type: TransactionType;
  amountMinor: bigint;
  currency: Currency;
  billingAmountMinor: bigint;
  billingCurrency: Currency;
  billingRate: string | null;
  merchantCountry: string | null;
}

/** The facts of a payment that was read whole. */
export function paymentFactsOf(transaction: Transaction): PaymentFacts {
  return { ...transaction, merchantCountry: transaction.merchant?.country ?? null };
}

/** Of a transaction `t`, under the names they have in the code. */
export const PAYMENT_COLUMNS = `
  t.organization_id as "organizationId", t.transaction_id as "transactionId",
  t.card_id as "cardId", t.account_id as "accountId", t.type, t.amount_minor as "amountMinor",
  t.currency, t.billing_amount_minor as "billingAmountMinor",
  t.billing_currency as "billingCurrency", t.billing_rate as "billingRate",
  t.merchant ->> 'country' as "merchantCountry"`;

const paymentFacts: ManyQuery<string, PaymentFacts & { organizationId: string }> = {
  statement: (keys) => ({
    name: "payment_facts",
    text: `
      select ${PAYMENT_COLUMNS}
        from unnest($1::text[], $2::text[]) as k(organization_id, id)
       cross join lateral (select * from transactions
         where organization_id = k.organization_id and transaction_id = k.id limit 1) t`,
    values: scopedColumns(keys),
  }),
  keyOf: ({ organizationId, transactionId }) => scopedKey(organizationId, transactionId),
};

/** Refuses what is no transaction of this organization. */
export async function findPayment(
  { reads }: { reads: Reads },
  organizationId: string,
  transactionId: string,
): Promise<PaymentFacts> {
  const [found] = isId("txn", transactionId)
    ? await reads.ask(paymentFacts, scopedKey(organizationId, transactionId))
    : [];
  if (found === undefined) throw new Failure("UNABLE_TO_LOCATE_RECORD");
  return found;
}
