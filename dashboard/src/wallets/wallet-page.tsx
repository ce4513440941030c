import type { Wallet, WalletEntry } from "@florin/sdk";
import { Anchor, Text } from "@mantine/core";
import { IconListDetails } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { listQuery, resourceQuery } from "../api/queries.ts";
import { Below } from "../ui/below.tsx";
import { type Column, DataList } from "../ui/data-list.tsx";
import { ExportButton } from "../ui/export-button.tsx";
import { DayField, FilterBar } from "../ui/filter-bar.tsx";
import { Money } from "../ui/money.tsx";
import { Page } from "../ui/page.tsx";
import { Empty } from "../ui/states.tsx";
import { Time } from "../ui/time.tsx";
import { useListFilters } from "../ui/use-filters.ts";
import { DepositButton } from "./deposit-button.tsx";
import { entryName } from "./names.ts";

const NAMES = ["from", "to"];

const columns: Column<WalletEntry>[] = [
  {
    header: "What",
    cell: ({ kind, transactionId, createdAt }) => (
      <>
        {transactionId === undefined ? (
          entryName(kind)
        ) : (
          <Anchor component={Link} to={`/transactions/${transactionId}`} size="sm">
            {entryName(kind)}
          </Anchor>
        )}
        <Below until="sm">
          <Time at={createdAt} />
        </Below>
      </>
    ),
  },
  {
    header: "Amount",
    align: "right",
    width: "clamp(160px, 14vw, 190px)",
    cell: ({ direction, amount, currency }) => (
      <>
        <span className="visually-hidden">{direction}</span>
        {direction === "Credit" ? "+" : "−"}
        <Money amount={amount} currency={currency} />
      </>
    ),
  },
  {
    header: "Balance after",
    align: "right",
    width: "clamp(160px, 14vw, 190px)",
    from: "Xs",
    cell: ({ balanceAfter, currency }) => <Money amount={balanceAfter} currency={currency} />,
  },
  { header: "Reference", cell: ({ reference }) => reference ?? "–", from: "Lg" },
  { header: "When", cell: ({ createdAt }) => <Time at={createdAt} />, width: "172px", from: "Sm" },
];

export function WalletPage() {
  const { walletId = "" } = useParams({ strict: false });
  const path = `/api/v1/wallets/${walletId}/entries`;
  const { params, isFiltered } = useListFilters(NAMES);
  const wallets = useQuery(resourceQuery<Wallet[]>("/api/v1/wallets"));
  const entries = useInfiniteQuery(listQuery<WalletEntry>(path, "entryId", params));
  const wallet = wallets.data?.find((candidate) => candidate.walletId === walletId);
  return (
    <Page
      title={wallet === undefined ? "Wallet" : `${wallet.currency} wallet`}
      lead={
        wallet !== undefined && (
          <Text component="span" fz={22} fw={600} c="var(--mantine-color-text)">
            <Money amount={wallet.balance} currency={wallet.currency} withCode />
          </Text>
        )
      }
      back={{ to: "/wallets", label: "Wallets" }}
      actions={
        <>
          {wallet !== undefined && <DepositButton key={walletId} currency={wallet.currency} />}
          <ExportButton path={path} params={params} fileName="ledger-entries" />
        </>
      }
    >
      <FilterBar names={NAMES}>
        <DayField name="from" label="From" />
        <DayField name="to" label="Until" />
      </FilterBar>
      <DataList
        label="Ledger entries"
        noun="entry"
        source={entries}
        columns={columns}
        rowKey={({ entryId }) => entryId}
        empty={
          <Empty
            icon={IconListDetails}
            title={isFiltered ? "No entry between these days" : "No ledger entries yet"}
          />
        }
      />
    </Page>
  );
}
