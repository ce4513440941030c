import { Stack } from "@mantine/core";
import { IconMoodSmile } from "@tabler/icons-react";
import type { Home } from "../api/own-types.ts";
import { formatCount } from "../ui/numbers.ts";
import { Panel } from "../ui/panel.tsx";
import { Empty } from "../ui/states.tsx";
import { Bar } from "./bar.tsx";

export function DeclineReasons({ reasons }: { reasons: Home["declineReasons"] }) {
  const most = Math.max(1, ...reasons.map(({ count }) => count));
  return (
    <Panel title="Why purchases were declined" isTall>
      {reasons.length === 0 ? (
        <Empty icon={IconMoodSmile} title="None was declined" />
      ) : (
        <Stack component="ul" gap={14} className="plain-list">
          {reasons.map(({ responseCode, message, count }) => (
            <li key={responseCode}>
              <Bar label={message} value={formatCount(count)} share={count / most} isBad />
            </li>
          ))}
        </Stack>
      )}
    </Panel>
  );
}
