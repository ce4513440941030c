import type { Customer } from "@florin/sdk";
import { Button } from "@mantine/core";
import { IconUserPlus, IconUsers } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { listQuery } from "../api/queries.ts";
import { useCan } from "../session/use-me.ts";
import { type Column, DataList } from "../ui/data-list.tsx";
import { Choice, DayField, FilterBar, WordField } from "../ui/filter-bar.tsx";
import { Page } from "../ui/page.tsx";
import { Empty } from "../ui/states.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/time.tsx";
import { useListFilters } from "../ui/use-filters.ts";
import { nameOf } from "./names.ts";

const NAMES = ["type", "name", "clientReference", "from", "to"];

const columns: Column<Customer>[] = [
  { header: "Name", cell: nameOf },
  { header: "KYC", cell: ({ status }) => <Status value={status} />, width: "124px" },
  { header: "Type", cell: ({ type }) => type, width: "108px", from: "Sm" },
  {
    header: "Your reference",
    width: "150px",
    cell: ({ clientReference }) => <code className="mono">{clientReference}</code>,
    from: "Sm",
  },
  { header: "E-mail", cell: ({ email }) => email ?? "–", from: "Lg", width: "230px" },
  {
    header: "Since",
    cell: ({ createdAt }) => <Time at={createdAt} />,
    width: "172px",
    from: "Md",
  },
];

export function CustomersPage() {
  const can = useCan();
  const { params, isFiltered } = useListFilters(NAMES);
  const customers = useInfiniteQuery(
    listQuery<Customer>("/api/v1/customers", "customerId", params),
  );
  const verify = can("kyc") && (
    <Button component={Link} to="/customers/verify" leftSection={<IconUserPlus size={16} />}>
      Verify a customer
    </Button>
  );
  return (
    <Page title="Customers" lead="People and businesses who may hold cards." actions={verify}>
      <FilterBar names={NAMES}>
        <WordField name="name" label="Name" placeholder="Beginnings of words" />
        <WordField name="clientReference" label="Your reference" />
        <Choice name="type" label="Type" options={["Individual", "Business"]} />
        <DayField name="from" label="From" />
        <DayField name="to" label="Until" />
      </FilterBar>
      <DataList
        label="Customers"
        noun="customer"
        source={customers}
        columns={columns}
        rowKey={({ customerId }) => customerId}
        linkTo={({ customerId }) => `/customers/${customerId}`}
        empty={
          isFiltered ? (
            <Empty icon={IconUsers} title="No customer matches these filters" />
          ) : (
            <Empty icon={IconUsers} title="No customers yet" action={verify}>
              Before a card is issued, its holder is verified: KYC for people, KYB for businesses.
            </Empty>
          )
        }
      />
    </Page>
  );
}
