import type { Transaction } from "@florin/sdk";
import { type ComponentProps, type ReactNode, useMemo } from "react";
import { useCardNames } from "../cards/use-card-names.ts";
import { Below } from "../ui/below.tsx";
import { type Column, DataList } from "../ui/data-list.tsx";
import { Money } from "../ui/money.tsx";
import { PlainLink } from "../ui/plain-link.tsx";
import { Empty } from "../ui/states.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/time.tsx";
import { merchantOrType, outcomeOf, typeName } from "./names.ts";
import classes from "./transaction-list.module.css";

/** Where a narrow screen has no room for a column more, what it would tell stands below the name. */
const what = (below: (transaction: Transaction) => ReactNode): Column<Transaction> => ({
  header: "What",
  cell: (transaction) => (
    <>
      {merchantOrType(transaction)}
      {below(transaction)}
    </>
  ),
});

const others: Column<Transaction>[] = [
  {
    header: "Amount",
    align: "right",
    width: "clamp(150px, 13vw, 180px)",
    cell: ({ amount, currency, approved, stage }) => (
      <>
        <Money amount={amount} currency={currency} isVoid={!approved} />
        <Below until="xs">
          <Status value={stage} />
        </Below>
      </>
    ),
  },
  {
    header: "Stage",
    cell: ({ stage }) => <Status value={stage} />,
    width: "140px",
    from: "Xs",
  },
  { header: "Details", from: "Sm", cell: (transaction) => <Details {...transaction} /> },
  {
    header: "When",
    cell: ({ createdAt }) => <Time at={createdAt} />,
    width: "172px",
    from: "Md",
  },
];

const timeBelow = ({ createdAt }: Transaction) => (
  <Below until="md">
    <Time at={createdAt} />
  </Below>
);

const columnsOfOneCard = [what(timeBelow), ...others];

type NameOf = ReturnType<typeof useCardNames>;

/** On a narrow screen the card's link and the time are one step away, on the transaction's own page. */
const columnsWithCards = (nameOf: NameOf): Column<Transaction>[] => [
  what(({ cardId }) => <Below until="lg">{nameOf(cardId)}</Below>),
  {
    header: "Card",
    from: "Lg",
    width: "110px",
    cell: ({ cardId }) => <CardLink cardId={cardId} name={nameOf(cardId)} />,
  },
  ...others,
];

function CardLink({ cardId, name }: { cardId: string; name: string | undefined }) {
  if (name === undefined) return null;
  return (
    <PlainLink to={`/cards/${cardId}`} className={classes.link}>
      {name}
    </PlainLink>
  );
}

/** What the name and the stage leave open: what kind of payment it was, what came of it, or why it was declined. */
function Details(transaction: Transaction) {
  const { approved, merchant, type, responseMessage } = transaction;
  if (!approved) return responseMessage;
  if (merchant === null) return <span className="dimmed">–</span>;
  const outcome = outcomeOf(transaction);
  return (
    <>
      <span className="dimmed">{typeName(type)}</span>
      {outcome !== undefined && ` · ${outcome}`}
    </>
  );
}

interface TransactionListProps {
  source: ComponentProps<typeof DataList<Transaction>>["source"];
  empty: ComponentProps<typeof Empty>;
  /** Whether all are of one card, which need not be told with each. */
  isOfOneCard?: boolean;
  isBare?: boolean;
}

export function TransactionList({ isOfOneCard = false, ...props }: TransactionListProps) {
  return isOfOneCard ? (
    <Transactions {...props} columns={columnsOfOneCard} />
  ) : (
    <TransactionsOfCards {...props} />
  );
}

type ListProps = Omit<TransactionListProps, "isOfOneCard">;

function TransactionsOfCards(props: ListProps) {
  const { data } = props.source;
  const cardIds = useMemo(
    () => data?.pages.flatMap((page) => page.data.map(({ cardId }) => cardId)) ?? [],
    [data],
  );
  const nameOf = useCardNames(cardIds);
  const columns = useMemo(() => columnsWithCards(nameOf), [nameOf]);
  return <Transactions {...props} columns={columns} />;
}

function Transactions({
  source,
  empty,
  columns,
  isBare = false,
}: ListProps & { columns: Column<Transaction>[] }) {
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
