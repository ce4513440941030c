import type { Transaction } from "@florin/sdk";
import { Text, Timeline } from "@mantine/core";
import { Money } from "../ui/money.tsx";
import { Panel } from "../ui/panel.tsx";
import { Time } from "../ui/time.tsx";
import { requestName } from "./names.ts";

/** What became of the payment, step by step. */
export function LifeTimeline({ transaction }: { transaction: Transaction }) {
  const { events, currency, approved, responseMessage } = transaction;
  return (
    <Panel title="Life of this transaction">
      <Timeline active={events.length} bulletSize={14} lineWidth={2}>
        {events.map(({ requestType, amount, responseCode, at }, index) => (
          <Timeline.Item
            // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever added at the end.
            key={`${requestType} ${at} ${index}`}
            title={
              <Text size="sm" fw={600}>
                {index === 0 && !approved ? "Declined" : requestName(requestType)}
              </Text>
            }
          >
            <Text size="sm">
              <Money amount={amount} currency={currency} />
              {responseCode !== "000" &&
                ` · ${index === 0 ? responseMessage : `code ${responseCode}`}`}
            </Text>
            <Text size="xs" c="dimmed">
              <Time at={at} as="full" />
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
      {events.length === 0 && (
        <Text size="sm" c="dimmed">
          Completed at once, <Time at={transaction.createdAt} as="full" />
        </Text>
      )}
    </Panel>
  );
}
