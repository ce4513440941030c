import type { Card, Customer } from "@florin/sdk";
import { Button, Grid, Group } from "@mantine/core";
import { IconCreditCard, IconPlus } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { listQuery, resourceQuery, rowFrom } from "../api/queries.ts";
import { CardList } from "../cards/card-list.tsx";
import { useCan } from "../session/use-me.ts";
import { addressLine } from "../ui/address.ts";
import { CopyText } from "../ui/copy.tsx";
import { Facts } from "../ui/facts.tsx";
import { Page } from "../ui/page.tsx";
import { Panel } from "../ui/panel.tsx";
import { Loaded } from "../ui/states.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/time.tsx";
import { KycTimeline } from "./kyc-timeline.tsx";
import { nameOf } from "./names.ts";

const back = { to: "/customers", label: "Customers" };

export function CustomerPage() {
  const { customerId = "" } = useParams({ strict: false });
  const customer = useQuery({
    ...resourceQuery<Customer>(`/api/v1/customers/${customerId}`),
    placeholderData: () => rowFrom<Customer>("/api/v1/customers", "customerId", customerId),
  });
  if (customer.data === undefined) {
    return (
      <Page title="Customer" back={back}>
        <Loaded query={customer}>{() => null}</Loaded>
      </Page>
    );
  }
  return <CustomerView customer={customer.data} />;
}

function CustomerView({ customer }: { customer: Customer }) {
  const can = useCan();
  const { customerId, status } = customer;
  const cards = useInfiniteQuery(listQuery<Card>("/api/v1/cards", "cardId", { customerId }));
  const issue = can("cards.issue") && status === "Approved" && (
    <Button
      renderRoot={(props) => <Link {...props} to="/cards/issue" search={{ customerId }} />}
      leftSection={<IconPlus size={16} />}
    >
      Issue a card
    </Button>
  );
  return (
    <Page
      title={nameOf(customer)}
      heading={
        <Group gap="sm" component="span">
          {nameOf(customer)}
          <Status value={status} />
        </Group>
      }
      lead={customer.type === "Business" ? "Business" : "Individual"}
      back={back}
      actions={issue}
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Panel title="About" isTall>
            <CustomerFacts customer={customer} />
          </Panel>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <KycTimeline kycToken={customer.kycToken} clientReference={customer.clientReference} />
        </Grid.Col>
      </Grid>
      <Panel title="Cards" isFlush>
        <CardList
          source={cards}
          isBare
          empty={{
            icon: IconCreditCard,
            title: "No cards yet",
            children: "Issue the first one for this customer.",
          }}
        />
      </Panel>
    </Page>
  );
}

function CustomerFacts({ customer }: { customer: Customer }) {
  const { address, email, phoneNumber } = customer;
  return (
    <Facts
      facts={[
        ["Customer id", <CopyText key="i" value={customer.customerId} label="customer id" />],
        [
          "E-mail",
          <span key="e" data-long>
            {email ?? "–"}
          </span>,
        ],
        ["Your reference", <CopyText key="r" value={customer.clientReference} label="reference" />],
        ["Phone", phoneNumber ?? "–"],
        ["Address", address === undefined ? "–" : addressLine(address)],
        ["Customer since", <Time key="t" at={customer.createdAt} as="day" />],
      ]}
    />
  );
}
