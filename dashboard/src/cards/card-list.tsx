import type { Card } from "@florin/sdk";
import type { ComponentProps } from "react";
import { Below } from "../ui/below.tsx";
import { type Column, DataList } from "../ui/data-list.tsx";
import { Money } from "../ui/money.tsx";
import { Empty } from "../ui/states.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/time.tsx";
import { lastFour } from "./names.ts";

const columns: Column<Card>[] = [
  {
    header: "Card",
    cell: (card) => (
      <>
        <span className="figures">{lastFour(card)}</span>
        <Below until="xs">{card.nameOnCard}</Below>
      </>
    ),
    width: "clamp(96px, 11vw, 110px)",
  },
  { header: "Name on card", cell: ({ nameOnCard }) => nameOnCard, from: "Xs" },
  {
    header: "Status",
    cell: ({ status }) => <Status value={status} />,
    width: "clamp(124px, 14vw, 144px)",
  },
  { header: "Type", cell: ({ type }) => type, width: "110px", from: "Lg" },
  {
    header: "Available",
    align: "right",
    width: "clamp(124px, 14vw, 164px)",
    cell: ({ availableBalance, currency }) => (
      <Money amount={availableBalance} currency={currency} />
    ),
  },
  {
    header: "Held",
    align: "right",
    width: "clamp(120px, 11vw, 150px)",
    from: "Lg",
    cell: ({ heldAmount, currency }) =>
      heldAmount === 0 ? (
        <span className="dimmed">–</span>
      ) : (
        <Money amount={heldAmount} currency={currency} />
      ),
  },
  {
    header: "Issued",
    cell: ({ createdAt }) => <Time at={createdAt} />,
    width: "172px",
    from: "Md",
  },
];

interface CardListProps {
  source: ComponentProps<typeof DataList<Card>>["source"];
  empty: ComponentProps<typeof Empty>;
  isBare?: boolean;
}

export function CardList({ source, empty, isBare = false }: CardListProps) {
  return (
    <DataList
      label="Cards"
      noun="card"
      source={source}
      columns={columns}
      rowKey={({ cardId }) => cardId}
      linkTo={({ cardId }) => `/cards/${cardId}`}
      empty={<Empty {...empty} />}
      isBare={isBare}
    />
  );
}
