import type { Card, Transaction } from "@florin/sdk";
import { Anchor, Grid, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { resourceQuery } from "../api/queries.ts";
import { lastFour } from "../cards/names.ts";
import { NetworkActions } from "../sandbox/network-actions.tsx";
import { CopyText } from "../ui/copy.tsx";
import { Facts } from "../ui/facts.tsx";
import { formatMoney, Money } from "../ui/money.tsx";
import { Page } from "../ui/page.tsx";
import { Panel } from "../ui/panel.tsx";
import { Loaded } from "../ui/states.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/time.tsx";
import { DecisionTrace } from "./decision-trace.tsx";
import { LifeTimeline } from "./life-timeline.tsx";
import { merchantOrType, typeName } from "./names.ts";
import { Verdict } from "./verdict.tsx";

const back = { to: "/transactions", label: "Transactions" };

export function TransactionPage() {
  const { transactionId = "" } = useParams({ strict: false });
  const transaction = useQuery(resourceQuery<Transaction>(`/api/v1/transactions/${transactionId}`));
  if (transaction.data === undefined) {
    return (
      <Page title="Transaction" back={back}>
        <Loaded query={transaction}>{() => null}</Loaded>
      </Page>
    );
  }
  return <TransactionView key={transactionId} transaction={transaction.data} />;
}

function TransactionView({ transaction }: { transaction: Transaction }) {
  const { amount, currency, stage, decision } = transaction;
  const money = formatMoney(amount, currency);
  return (
    <Page
      title={`${money} ${merchantOrType(transaction)}`}
      heading={
        <Group gap="sm" component="span">
          <span className="figures">{money}</span>
          <Text component="span" c="dimmed" inherit fw={400}>
            {merchantOrType(transaction)}
          </Text>
          <Status value={stage} />
        </Group>
      }
      lead={
        <>
          {typeName(transaction.type)} · <Time at={transaction.createdAt} as="full" />
        </>
      }
      back={back}
      actions={<NetworkActions transaction={transaction} />}
    >
      <Verdict transaction={transaction} />
      <Grid gap="lg">
        {decision !== undefined && (
          <Grid.Col span={{ base: 12, md: 7 }}>
            <DecisionTrace decision={decision} />
          </Grid.Col>
        )}
        <Grid.Col span={{ base: 12, md: decision === undefined ? 12 : 5 }}>
          <Stack gap="lg">
            <LifeTimeline transaction={transaction} />
            <Panel title="Details">
              <TransactionFacts transaction={transaction} />
            </Panel>
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function TransactionFacts({ transaction }: { transaction: Transaction }) {
  const { cardId, merchant, billingCurrency, currency } = transaction;
  const card = useQuery(resourceQuery<Card>(`/api/v1/cards/${cardId}`));
  const billing = (amount: number) => <Money amount={amount} currency={billingCurrency} />;
  return (
    <Facts
      facts={[
        [
          "Card",
          <Anchor key="c" component={Link} to={`/cards/${cardId}`} size="sm">
            {card.data === undefined ? cardId : `${lastFour(card.data)} ${card.data.nameOnCard}`}
          </Anchor>,
        ],
        billingCurrency !== currency && ["Billed", billing(transaction.billingAmount)],
        ["Held", billing(transaction.heldAmount)],
        ["Settled", billing(transaction.settledAmount)],
        transaction.overCaptured && ["Over-captured", "Settled above what was authorized"],
        transaction.reversedAmount > 0 && ["Reversed", billing(transaction.reversedAmount)],
        transaction.refundedAmount > 0 && ["Refunded", billing(transaction.refundedAmount)],
        merchant !== null && [
          "Merchant",
          `${merchant.name}, ${merchant.city}, ${merchant.country}`,
        ],
        merchant !== null && [
          "Merchant id and category",
          <code key="m" className="mono">{`${merchant.mid} · ${merchant.mcc}`}</code>,
        ],
        transaction.entryMode !== null && ["Entry mode", transaction.entryMode],
        transaction.approvalCode !== null && ["Approval code", transaction.approvalCode],
        [
          "Transaction id",
          <CopyText key="i" value={transaction.transactionId} label="transaction id" />,
        ],
        transaction.networkReference !== null && [
          "Network reference",
          <CopyText key="n" value={transaction.networkReference} label="network reference" />,
        ],
        transaction.transferId !== undefined && [
          "Transfer",
          <CopyText key="t" value={transaction.transferId} label="transfer id" />,
        ],
      ]}
    />
  );
}
