import { Text } from "@mantine/core";
import type { ComponentProps } from "react";
import type { Transaction } from "../api/types.ts";
import { type Column, DataList } from "../ui/data-list.tsx";
import { Money } from "../ui/money.tsx";
import { Empty } from "../ui/states.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/time.tsx";
import { merchantOrType, typeName } from "./names.ts";

const columns: Column<Transaction>[] = [
  { header: "What", cell: merchantOrType },
  {
    header: "Amount",
    align: "right",
    width: "112px",
    cell: ({ amount, currency, approved }) => (
      <Money
        amount={amount}
        currency={currency}
        {...(approved ? {} : { c: "dimmed", td: "line-through" })}
      />
    ),
  },
  { header: "Stage", cell: ({ stage }) => <Status value={stage} />, width: "136px" },
  { header: "Type", cell: ({ type }) => typeName(type), from: "Md", width: "160px" },
  {
    header: "Why",
    from: "Sm",
    cell: ({ approved, responseMessage }) =>
      approved ? (
        <Text component="span" c="dimmed" inherit>
          –
        </Text>
      ) : (
        responseMessage
      ),
  },
  {
    header: "When",
    cell: ({ createdAt }) => <Time at={createdAt} />,
    width: "172px",
    from: "Sm",
  },
];

interface TransactionListProps {
  source: ComponentProps<typeof DataList<Transaction>>["source"];
  empty: ComponentProps<typeof Empty>;
  isBare?: boolean;
}

export function TransactionList({ source, empty, isBare = false }: TransactionListProps) {
  return (
    <DataList
      label="Transactions"
      noun="transaction"
      source={source}
      columns={columns}
      rowKey={({ transactionId }) => transactionId}
      linkTo={({ transactionId }) => `/transactions/${transactionId}`}
      empty={<Empty {...empty} />}
      isBare={isBare}
    />
  );
}
