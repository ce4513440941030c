import { Text } from "@mantine/core";
import { IconMoodSmile } from "@tabler/icons-react";
import type { Home } from "../api/own-types.ts";
import { formatCount } from "../ui/numbers.ts";
import { Panel } from "../ui/panel.tsx";
import { Empty } from "../ui/states.tsx";
import classes from "./decline-reasons.module.css";

export function DeclineReasons({ reasons }: { reasons: Home["declineReasons"] }) {
  const most = Math.max(1, ...reasons.map(({ count }) => count));
  return (
    <Panel title="Why purchases were declined">
      {reasons.length === 0 ? (
        <Empty icon={IconMoodSmile} title="None was declined" />
      ) : (
        <ul className={classes.list}>
          {reasons.map(({ responseCode, message, count }) => (
            <li key={responseCode}>
              <div className={classes.line}>
                <Text size="sm">{message}</Text>
                <Text size="sm" fw={600} className="figures">
                  {formatCount(count)}
                </Text>
              </div>
              <div className={classes.scale} aria-hidden>
                <div className={classes.bar} style={{ width: `${(100 * count) / most}%` }} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
