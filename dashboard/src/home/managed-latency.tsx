import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Home } from "../api/own-types.ts";
import { formatCount, percent } from "../ui/numbers.ts";
import { Panel } from "../ui/panel.tsx";
import classes from "./managed-latency.module.css";

const DEADLINE_MS = 400;

/** How fast the organization's own endpoint decides, against the deadline. */
export function ManagedLatency({ managed }: { managed: Home["managed"] }) {
  return (
    <Panel title="Your endpoint's decisions">
      {managed === null || managed.asked === 0 ? (
        <Text size="sm" c="dimmed">
          Your endpoint was not asked in this time. Who decides is set under{" "}
          <Anchor component={Link} to="/settings/authorization" size="sm" underline="always">
            Card authorization
          </Anchor>
          .
        </Text>
      ) : (
        <div className={classes.list}>
          <Latency label="Half were answered within" ms={managed.p50Ms} />
          <Latency label="99 of 100 within" ms={managed.p99Ms} />
          <Text size="sm" c="dimmed">
            Asked {formatCount(managed.asked)} times, {percent(managed.inTime, managed.asked)} in
            time, {formatCount(managed.timedOut)} timed out.
          </Text>
        </div>
      )}
    </Panel>
  );
}

function Latency({ label, ms }: { label: string; ms: number }) {
  const share = Math.min(100, (100 * ms) / DEADLINE_MS);
  return (
    <div>
      <div className={classes.line}>
        <Text size="sm">{label}</Text>
        <Text size="sm" fw={600} className="figures">
          {Math.round(ms)} ms
        </Text>
      </div>
      <div className={classes.scale} aria-hidden>
        <div
          className={`${classes.bar} ${ms > DEADLINE_MS ? classes.late : ""}`}
          style={{ width: `${share}%` }}
        />
      </div>
      <Text size="xs" c="dimmed" ta="right">
        of {DEADLINE_MS} ms
      </Text>
    </div>
  );
}
