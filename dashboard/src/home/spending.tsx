import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import type { Home } from "../api/own-types.ts";
import { formatMoney } from "../ui/money.tsx";
import { Panel } from "../ui/panel.tsx";
import { currenciesOf } from "./by-weight.ts";
import classes from "./chart.module.css";
import { Chart } from "./chart.tsx";
import { dayName } from "./days.ts";

/** One currency at a time: amounts of two cannot share an axis. */
export function Spending({ days }: { days: Home["days"] }) {
  const currencies = currenciesOf(days);
  const [chosen, setChosen] = useState<string>();
  const currency = chosen ?? currencies[0] ?? "USD";
  const brief = new Intl.NumberFormat(undefined, {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    notation: "compact",
  });
  return (
    <Panel
      title="Approved amount"
      isTall
      actions={
        currencies.length > 1 && (
          <NativeSelect
            size="xs"
            aria-label="Currency"
            data={currencies}
            value={currency}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
        )
      }
    >
      <Chart
        label={`Approved amount in ${currency} by day`}
        days={days.map(({ date }) => dayName(date))}
        series={[
          {
            name: "Approved",
            className: classes.amount,
            values: days.map(
              ({ approvedAmount }) =>
                approvedAmount.find((each) => each.currency === currency)?.amount ?? 0,
            ),
          },
        ]}
        format={(value) => formatMoney(value, currency)}
        formatBrief={(value) => brief.format(value)}
      />
    </Panel>
  );
}
