import type { Transaction } from "@florin/sdk";
import type { ComponentProps } from "react";
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
    width: "clamp(88px, 11vw, 124px)",
    cell: ({ amount, currency, approved }) => (
      <Money amount={amount} currency={currency} isVoid={!approved} />
    ),
  },
  {
    header: "Stage",
    cell: ({ stage }) => <Status value={stage} />,
    width: "clamp(126px, 12vw, 140px)",
  },
  { header: "Details", from: "Sm", cell: (transaction) => <Details {...transaction} /> },
  {
    header: "When",
    cell: ({ createdAt }) => <Time at={createdAt} />,
    width: "172px",
    from: "Sm",
  },
];

/** What the name and the stage leave open: what kind of payment it was, or why it was declined. */
function Details({ approved, merchant, type, responseMessage }: Transaction) {
  if (!approved) return responseMessage;
  return <span className="dimmed">{merchant === null ? "–" : typeName(type)}</span>;
}

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
