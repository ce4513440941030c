import type { Transaction } from "@florin/sdk";
import { Grid, SegmentedControl } from "@mantine/core";
import { IconArrowsExchange } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { Home } from "../api/own-types.ts";
import { listQuery, resourceQuery } from "../api/queries.ts";
import { TransactionList } from "../transactions/transaction-list.tsx";
import { Page } from "../ui/page.tsx";
import { Panel } from "../ui/panel.tsx";
import { Loaded } from "../ui/states.tsx";
import { useFilters } from "../ui/use-filters.ts";
import { Decisions } from "./decisions.tsx";
import { DeclineReasons } from "./decline-reasons.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { ManagedLatency } from "./managed-latency.tsx";
import { Spending } from "./spending.tsx";
import { Totals } from "./totals.tsx";

const RANGES = ["7", "30", "90"];
const LATEST = 8;

export function HomePage() {
  const [{ days = "7" }, change] = useFilters();
  const range = RANGES.includes(days) ? days : "7";
  const home = useQuery({
    ...resourceQuery<Home>("/dashboard/home", { days: range }),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title="Home"
      actions={
        <SegmentedControl
          aria-label="Days shown"
          value={range}
          onChange={(value) => change({ days: value })}
          data={RANGES.map((value) => ({ value, label: `${value} days` }))}
        />
      }
    >
      <Loaded query={home} rows={10}>
        {(data) => <HomeView home={data} />}
      </Loaded>
    </Page>
  );
}

function HomeView({ home }: { home: Home }) {
  return (
    <>
      <Totals home={home} />
      <FirstSteps home={home} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Decisions days={home.days} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <DeclineReasons reasons={home.declineReasons} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Spending days={home.days} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <ManagedLatency managed={home.managed} />
        </Grid.Col>
      </Grid>
      <Latest />
    </>
  );
}

function Latest() {
  const source = useInfiniteQuery({
    ...listQuery<Transaction>("/api/v1/transactions", "transactionId", { limit: LATEST }),
    // The home screen shows the top of the list and leaves the rest to its own screen.
    getNextPageParam: () => undefined,
  });
  return (
    <Panel title="Latest transactions" isFlush>
      <TransactionList
        source={source}
        isBare
        empty={{
          icon: IconArrowsExchange,
          title: "No transactions yet",
          children: "They appear here the moment they happen.",
        }}
      />
    </Panel>
  );
}
