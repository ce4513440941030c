import type { Transaction } from "@florin/sdk";
import { IconArrowsExchange } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { listQuery } from "../api/queries.ts";
import { ExportButton } from "../ui/export-button.tsx";
import { Choice, DayField, FilterBar, IdField } from "../ui/filter-bar.tsx";
import { Page } from "../ui/page.tsx";
import { useListFilters } from "../ui/use-filters.ts";
import { TRANSACTION_STAGES, TRANSACTION_TYPES } from "./names.ts";
import { TransactionList } from "./transaction-list.tsx";

const NAMES = ["stage", "type", "approved", "currency", "cardId", "customerId", "from", "to"];

export function TransactionsPage() {
  const { params, isFiltered } = useListFilters(NAMES);
  const source = useInfiniteQuery(
    listQuery<Transaction>("/api/v1/transactions", "transactionId", params),
  );
  return (
    <Page
      title="Transactions"
      lead="Purchases and movements of money over all cards, newest first. New ones appear by themselves."
      actions={<ExportButton path="/api/v1/transactions" params={params} fileName="transactions" />}
    >
      <FilterBar names={NAMES}>
        <Choice
          name="approved"
          label="Decision"
          options={[
            { value: "true", label: "Approved" },
            { value: "false", label: "Declined" },
          ]}
        />
        <Choice name="stage" label="Stage" options={TRANSACTION_STAGES} />
        <Choice name="type" label="Type" options={TRANSACTION_TYPES} />
        <DayField name="from" label="From" />
        <DayField name="to" label="Until" />
        <IdField name="cardId" label="Card" prefix="card" />
      </FilterBar>
      <TransactionList
        source={source}
        isOfOneCard={params.cardId !== undefined}
        empty={
          isFiltered
            ? { icon: IconArrowsExchange, title: "No transaction matches these filters" }
            : {
                icon: IconArrowsExchange,
                title: "No transactions yet",
                children:
                  "Issue a card and buy something with it: in the sandbox, at the virtual terminal.",
              }
        }
      />
    </Page>
  );
}
