import type { Pool } from "../../src/db/pool.ts";
import type { Kept } from "../../src/webhooks/events/complete-events.ts";
import { completed, KEPT } from "./card-events.ts";
import type { Owner } from "./money-commands.ts";

export interface Posting {
  kind: string;
  debit: string;
  credit: string;
  amountMinor: bigint;
  debitBalanceMinor: bigint | null;
  transactionId: string | null;
  reference: string | null;
}

interface Account {
  accountId: string;
  kind: string;
  postedMinor: bigint;
  heldMinor: bigint;
}

export interface Transaction {
  transactionId: string;
  cardId: string;
  accountId: string;
  type: string;
  stage: string;
  approved: boolean;
  decidedAs: "Purchase" | "ForcePost" | "Other";
  billingMinor: bigint;
  heldMinor: bigint;
  settledMinor: bigint;
  reversedMinor: bigint;
  refundedMinor: bigint;
  events: { requestType: string; amount: number }[];
}

interface Card {
  cardId: string;
  accountId: string;
  customerId: string;
  status: string;
  swipeCount: number | null;
  swipesUsed: number;
  spentMinor: bigint;
  dailyLimitMinor: bigint | null;
}

interface CardEvent {
  cardId: string;
  sequence: bigint;
  eventType: string;
  data: Record<string, unknown>;
}

/** All that the database has of one organization. */
export interface OwnerBooks {
  postings: Posting[];
  accounts: Account[];
  transactions: Transaction[];
  cards: Card[];
  events: CardEvent[];
  references: { reference: string; state: string }[];
  messages: { name: string; requestType: string; transactionId: string }[];
  debts: { accountId: string; customerId: string }[];
}

export async function readBooks(
  pool: Pool,
  { organizationId, clientId }: Owner,
): Promise<OwnerBooks> {
  const read = async <Row extends object>(sql: string, owner = organizationId): Promise<Row[]> =>
    (await pool.query(sql, [owner])).rows as Row[];
  return {
    postings: await read<Posting>(
      `select kind, debit_account_id as debit, credit_account_id as credit, amount_minor as "amountMinor",
              debit_balance_minor as "debitBalanceMinor", transaction_id as "transactionId", reference
         from postings where organization_id = $1 order by posting_id`,
    ),
    accounts: await read<Account>(
      `select account_id as "accountId", kind, posted_minor as "postedMinor", held_minor as "heldMinor"
         from accounts where organization_id = $1 and kind in ('Wallet', 'Card')`,
    ),
    transactions: await read<Transaction>(
      `select transaction_id as "transactionId", card_id as "cardId", account_id as "accountId", type, stage,
              approved, case when type = 'Settlement' then 'ForcePost'
                when type in ('Authorization', 'PreAuthorization', 'CashWithdrawal') then 'Purchase'
                else 'Other' end as "decidedAs", billing_amount_minor as "billingMinor",
              held_minor as "heldMinor", settled_minor as "settledMinor", reversed_minor as "reversedMinor",
              refunded_minor as "refundedMinor", events
         from transactions where organization_id = $1`,
    ),
    cards: await read<Card>(
      `select card_id as "cardId", account_id as "accountId", customer_id as "customerId", status,
              swipe_count as "swipeCount", (counted ->> 'swipes')::int as "swipesUsed",
              (counted ->> 'spent')::bigint as "spentMinor",
              daily_limit_minor as "dailyLimitMinor"
         from cards c
         join accounts a using (organization_id, account_id)
         left join lateral (select kept from account_annexes
                             where organization_id = c.organization_id and annex_id = c.card_id) x on true
        cross join json_array_elements(coalesce(x.kept, a.kept) -> 'counters') counted
        where organization_id = $1`,
    ),
    events: await completed(
      pool,
      await read<CardEvent & Kept>(
        `select card_id as "cardId", sequence, event_type as "eventType", ${KEPT}
           from events where organization_id = $1 and card_id is not null order by card_id, sequence`,
      ),
    ),
    references: await read<OwnerBooks["references"][number]>(
      "select reference, state from request_references where client_id = $1",
      clientId,
    ),
    messages: await read<OwnerBooks["messages"][number]>(
      `select network_reference as name, request_type as "requestType", transaction_id as "transactionId"
         from network_messages where organization_id = $1`,
    ),
    debts: await read<OwnerBooks["debts"][number]>(
      `select account_id as "accountId", customer_id as "customerId"
         from customer_debts where organization_id = $1`,
    ),
  };
}
