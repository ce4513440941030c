import type { Card, Event as FlorinEvent, Transaction } from "@florin/sdk";
import { Grid, Group, Tabs } from "@mantine/core";
import { IconActivity, IconArrowsExchange } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { listQuery, resourceQuery, rowFrom } from "../api/queries.ts";
import { EventList } from "../events/event-list.tsx";
import { TransactionList } from "../transactions/transaction-list.tsx";
import { Page } from "../ui/page.tsx";
import { Panel } from "../ui/panel.tsx";
import { Loaded } from "../ui/states.tsx";
import { Status } from "../ui/status.tsx";
import { useFilters } from "../ui/use-filters.ts";
import { CardActions } from "./card-actions.tsx";
import { CardBalance } from "./card-balance.tsx";
import { CardDetails } from "./card-details.tsx";
import { CardFace } from "./card-face.tsx";
import classes from "./card-page.module.css";
import { Charges } from "./charges.tsx";
import { Controls } from "./controls.tsx";
import { lastFour } from "./names.ts";

export function CardPage() {
  const { cardId = "" } = useParams({ strict: false });
  const card = useQuery({
    ...resourceQuery<Card>(`/api/v1/cards/${cardId}`),
    placeholderData: () => rowFrom<Card>("/api/v1/cards", "cardId", cardId),
  });
  const back = { to: "/cards", label: "Cards" };
  if (card.data === undefined) {
    return (
      <Page title="Card" back={back}>
        <Loaded query={card}>{() => null}</Loaded>
      </Page>
    );
  }
  const { data } = card;
  return (
    <Page
      // Another card starts afresh: what was shown or typed for one must not stand beside the next.
      key={data.cardId}
      title={`Card ${lastFour(data)}`}
      heading={
        <Group gap="sm" component="span">
          <span className="figures">{lastFour(data)}</span>
          <Status value={data.status} />
        </Group>
      }
      lead={`${data.type} card of ${data.nameOnCard}`}
      back={back}
      actions={<CardActions card={data} />}
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, sm: 6, lg: 4 }}>
          <CardFace card={data} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, sm: 6, lg: 8 }}>
          <CardBalance card={data} />
        </Grid.Col>
      </Grid>
      <CardTabs card={data} />
    </Page>
  );
}

function CardTabs({ card }: { card: Card }) {
  const [{ tab = "transactions" }, change] = useFilters();
  return (
    <Tabs value={tab} onChange={(value) => change({ tab: value ?? "" })} keepMounted={false}>
      <Tabs.List mb="md" className={classes.tabs ?? ""}>
        <Tabs.Tab value="transactions">Transactions</Tabs.Tab>
        <Tabs.Tab value="controls">Controls</Tabs.Tab>
        <Tabs.Tab value="charges">Cross-border charges</Tabs.Tab>
        <Tabs.Tab value="events">Events</Tabs.Tab>
        <Tabs.Tab value="details">Details</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="transactions">
        <CardTransactions cardId={card.cardId} />
      </Tabs.Panel>
      <Tabs.Panel value="controls">
        <Controls card={card} />
      </Tabs.Panel>
      <Tabs.Panel value="charges">
        <Charges card={card} />
      </Tabs.Panel>
      <Tabs.Panel value="events">
        <CardEvents cardId={card.cardId} />
      </Tabs.Panel>
      <Tabs.Panel value="details">
        <Panel>
          <CardDetails card={card} />
        </Panel>
      </Tabs.Panel>
    </Tabs>
  );
}

function CardTransactions({ cardId }: { cardId: string }) {
  const source = useInfiniteQuery(
    listQuery<Transaction>("/api/v1/transactions", "transactionId", { cardId }),
  );
  return (
    <TransactionList
      source={source}
      isOfOneCard
      empty={{
        icon: IconArrowsExchange,
        title: "Nothing has happened with this card yet",
        children: "Purchases, top-ups and transfers show up here as they happen.",
      }}
    />
  );
}

function CardEvents({ cardId }: { cardId: string }) {
  const source = useInfiniteQuery(listQuery<FlorinEvent>("/api/v1/events", "eventId", { cardId }));
  return <EventList source={source} empty={{ icon: IconActivity, title: "No events yet" }} />;
}
