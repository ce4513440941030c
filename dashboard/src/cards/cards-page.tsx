import type { Card } from "@florin/sdk";
import { Button } from "@mantine/core";
import { IconCreditCard, IconPlus } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { listQuery } from "../api/queries.ts";
import { useCan } from "../session/use-me.ts";
import { Choice, DayField, FilterBar, IdField } from "../ui/filter-bar.tsx";
import { Page } from "../ui/page.tsx";
import { useListFilters } from "../ui/use-filters.ts";
import { CardList } from "./card-list.tsx";

const NAMES = ["status", "type", "currency", "customerId", "from", "to"];

export function CardsPage() {
  const can = useCan();
  const { params, isFiltered } = useListFilters(NAMES);
  const cards = useInfiniteQuery(listQuery<Card>("/api/v1/cards", "cardId", params));
  const issue = can("cards.issue") && (
    <Button component={Link} to="/cards/issue" leftSection={<IconPlus size={16} />}>
      Issue a card
    </Button>
  );
  return (
    <Page title="Cards" lead="Every card of your organization, newest first." actions={issue}>
      <FilterBar names={NAMES}>
        <Choice name="status" label="Status" options={["Active", "Frozen", "Terminated"]} />
        <Choice name="type" label="Type" options={["Retail", "Corporate", "Lite"]} />
        <DayField name="from" label="Issued from" />
        <DayField name="to" label="Issued until" />
        <IdField name="customerId" label="Customer" prefix="cus" />
      </FilterBar>
      <CardList
        source={cards}
        empty={
          isFiltered
            ? { icon: IconCreditCard, title: "No card matches these filters" }
            : {
                icon: IconCreditCard,
                title: "No cards yet",
                children: "Verify a customer, then issue the first card.",
                action: issue,
              }
        }
      />
    </Page>
  );
}
