import { Button } from "@mantine/core";
import { IconCreditCard, IconPlus } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { many } from "../api/queries.ts";
import type { Card } from "../api/types.ts";
import { useCan } from "../session/use-me.ts";
import { Choice, DayField, FilterBar, WordField } from "../ui/filter-bar.tsx";
import { Page } from "../ui/page.tsx";
import { momentsOf, useFilters } from "../ui/use-filters.ts";
import { CardList } from "./card-list.tsx";

const NAMES = ["status", "type", "currency", "customerId", "from", "to"];

export function CardsPage() {
  const can = useCan();
  const [filters] = useFilters();
  const { status, type, currency, customerId } = filters;
  const params = { status, type, currency, customerId, ...momentsOf(filters) };
  const cards = useInfiniteQuery(many<Card>("/api/v1/cards", "cardId", params));
  const isFiltered = NAMES.some((name) => filters[name] !== undefined);
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
        <WordField name="customerId" label="Customer" placeholder="cus_…" />
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
