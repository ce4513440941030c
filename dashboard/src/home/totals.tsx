import { SimpleGrid, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Home } from "../api/own-types.ts";
import { Money } from "../ui/money.tsx";
import { formatCount, percent, plural } from "../ui/numbers.ts";
import { byWeight } from "./by-weight.ts";
import classes from "./totals.module.css";

export function Totals({ home }: { home: Home }) {
  const { wallets, cards, customers, days } = home;
  const approved = days.reduce((sum, day) => sum + day.approved, 0);
  const decided = days.reduce((sum, day) => sum + day.approved + day.declined, 0);
  return (
    <SimpleGrid cols={{ base: 2, lg: 4 }} spacing={{ base: "xs", xs: "md" }}>
      <Total label="In wallets" to="/wallets" note={currencies(wallets.length, "wallet")}>
        <Amounts amounts={wallets} />
      </Total>
      <Total
        label="On cards"
        to="/cards"
        note={`${plural(cards.active, "active card")}${cards.frozen > 0 ? `, ${formatCount(cards.frozen)} frozen` : ""}`}
      >
        <Amounts amounts={cards.balances} />
      </Total>
      <Total
        label="Approved"
        to="/transactions"
        note={`${formatCount(approved)} of ${plural(decided, "purchase")}`}
      >
        {percent(approved, decided)}
      </Total>
      <Total
        label="Customers"
        to="/customers"
        note={
          customers.pendingKyc === 0
            ? "No verification open"
            : `${plural(customers.pendingKyc, "verification")} open`
        }
      >
        {formatCount(customers.total)}
      </Total>
    </SimpleGrid>
  );
}

interface TotalProps {
  label: string;
  to: string;
  note: string;
  children: ReactNode;
}

function Total({ label, to, note, children }: TotalProps) {
  return (
    <Link to={to} className={classes.total ?? ""}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <div className={`${classes.figure} figures`}>{children}</div>
      <Text size="sm" c="dimmed">
        {note}
      </Text>
    </Link>
  );
}

function Amounts({ amounts }: { amounts: { currency: string; balance: number }[] }) {
  const [first, ...rest] = byWeight(amounts);
  if (first === undefined) return "–";
  return (
    <>
      <Money amount={first.balance} currency={first.currency} />
      {rest.map(({ currency, balance }) => (
        <Text key={currency} size="sm" fw={500}>
          <Money amount={balance} currency={currency} withCode />
        </Text>
      ))}
    </>
  );
}

const currencies = (count: number, noun: string): string =>
  count === 0 ? "No wallet yet" : plural(count, noun);
