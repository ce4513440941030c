import { Anchor, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Home } from "../api/own-types.ts";
import { formatCount, percent } from "../ui/numbers.ts";
import { Panel } from "../ui/panel.tsx";
import { Bar } from "./bar.tsx";

const DEADLINE_MS = 400;

/** How fast the organization's own endpoint decides, against the deadline. */
export function ManagedLatency({ managed }: { managed: Home["managed"] }) {
  return (
    <Panel title="Your endpoint's decisions" isTall>
      {managed === null || managed.asked === 0 ? (
        <Text size="sm" c="dimmed">
          Your endpoint was not asked in this time. Who decides is set under{" "}
          <Anchor component={Link} to="/settings/authorization" size="sm" underline="always">
            Card authorization
          </Anchor>
          .
        </Text>
      ) : (
        <Stack gap={14}>
          <Latency label="Half of the answers came within" ms={managed.p50Ms} />
          <Latency label="99 of 100 within" ms={managed.p99Ms} />
          <Text size="sm" c="dimmed">
            Asked {formatCount(managed.asked)} times, {percent(managed.inTime, managed.asked)}{" "}
            answered in time, {formatCount(managed.timedOut)} timed out,{" "}
            {formatCount(managed.asked - managed.inTime - managed.timedOut)} without a valid answer.
          </Text>
        </Stack>
      )}
    </Panel>
  );
}

function Latency({ label, ms }: { label: string; ms: number | null }) {
  if (ms === null) return null;
  return (
    <div>
      <Bar
        label={label}
        value={`${Math.round(ms)} ms`}
        share={ms / DEADLINE_MS}
        isBad={ms > DEADLINE_MS}
      />
      <Text size="xs" c="dimmed" ta="right">
        of {DEADLINE_MS} ms
      </Text>
    </div>
  );
}
