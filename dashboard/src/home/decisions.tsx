import type { Home } from "../api/own-types.ts";
import { formatCount } from "../ui/numbers.ts";
import { Panel } from "../ui/panel.tsx";
import classes from "./chart.module.css";
import { Chart } from "./chart.tsx";
import { dayName } from "./days.ts";

export function Decisions({ days }: { days: Home["days"] }) {
  return (
    <Panel title="Approvals and declines" isTall>
      <Chart
        label="Approvals and declines by day"
        days={days.map(({ date }) => dayName(date))}
        series={[
          {
            name: "Approved",
            className: classes.approved,
            values: days.map(({ approved }) => approved),
          },
          {
            name: "Declined",
            className: classes.declined,
            values: days.map(({ declined }) => declined),
          },
        ]}
        format={formatCount}
        formatBrief={formatCount}
      />
    </Panel>
  );
}
